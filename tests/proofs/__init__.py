"""Proofs that a log is what it was: the tree, checkpoints, the keys that sign, and over HTTP."""
