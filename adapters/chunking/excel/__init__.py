"""Excel: reading workbooks into blocks."""
