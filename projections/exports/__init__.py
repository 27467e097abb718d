"""Exports: what accountants, owners and programs take away, in files that add up."""
