"""Session databases."""
