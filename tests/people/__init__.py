"""Forgetting people, and all that is kept of them."""
