"""`kisoku demo`."""


def demo() -> None:
    """X."""
