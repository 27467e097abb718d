"""Measurements: how fast it is, beside what its users would otherwise run."""
