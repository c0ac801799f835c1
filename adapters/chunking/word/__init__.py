"""Word: reading documents into blocks."""
