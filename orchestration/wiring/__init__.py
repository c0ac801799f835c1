"""The wiring in parts, each on the one before it; `bootstrap.Kisoku` is the whole."""
