"""Looking a handbook over, and repairing what can be made again."""
