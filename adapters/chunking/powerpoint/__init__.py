"""PowerPoint: reading slides into blocks."""
