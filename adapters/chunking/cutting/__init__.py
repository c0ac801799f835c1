"""From blocks to chunks: shared by all formats."""
