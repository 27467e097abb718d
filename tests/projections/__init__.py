"""The read side, tested on both databases."""
