"""Slow and obvious twins of what the package does, written apart from it."""
