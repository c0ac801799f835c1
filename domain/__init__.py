"""Pure objects and functions; imports nothing but pydantic and the standard library."""
