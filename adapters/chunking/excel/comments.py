"""Cell comments: in rule books they hold 記入要領, the instruction how to fill in the cell."""

from .grid import parse_reference
from .package import Element, Package, PackageError, child, children, rich_text, unescape

_THREAD_KINDS = ("threadedComment", "threadedComments")


def read_comments(package: Package, sheet_part: str) -> dict[tuple[int, int], str]:
    """Return the comments of a sheet by (row, column); a thread is one comment with its replies below.

    Args:
        package: The package.
        sheet_part: The worksheet part.
    """
    threads = _threads(package, sheet_part)
    found: dict[tuple[int, int], str] = {}
    for part in package.related(sheet_part, "comments"):
        try:
            root = package.tree(part)
        except PackageError:
            continue
        listed = child(root, "authors")
        authors = [] if listed is None else [unescape(author.text or "") for author in children(listed, "author")]
        comments = child(root, "commentList")
        for comment in () if comments is None else children(comments, "comment"):
            place = parse_reference(comment.get("ref") or "")
            text = child(comment, "text")
            # A threaded comment leaves a placeholder here, for versions of Excel that do not know threads.
            if place is None or text is None or place in threads:
                continue
            shown = _without_author(rich_text(text), _author(authors, comment), authors)
            if shown:
                found[place] = shown
    found.update(threads)
    return dict(sorted(found.items()))


def _author(authors: list[str], comment: Element) -> str:
    index = comment.get("authorId") or ""
    return authors[int(index)] if index.isdecimal() and int(index) < len(authors) else ""


def _without_author(text: str, author: str, authors: list[str]) -> str:
    """Drop the first line when it is the author's name and a colon, which Excel puts there by itself."""
    first, line_break, rest = text.partition("\n")
    name = first.strip().rstrip(":：")
    if line_break and first.strip() != name and name and (name == author or name in authors):
        text = rest
    return text.strip()


def _threads(package: Package, sheet_part: str) -> dict[tuple[int, int], str]:
    found: dict[tuple[int, int], list[str]] = {}
    for kind in _THREAD_KINDS:
        for part in package.related(sheet_part, kind):
            try:
                root = package.tree(part)
            except PackageError:
                continue
            for entry in children(root, "threadedComment"):
                place = parse_reference(entry.get("ref") or "")
                text = child(entry, "text")
                shown = "" if text is None else unescape(text.text or "").strip()
                if place is not None and shown:
                    found.setdefault(place, []).append(shown)
    return {place: "\n".join(texts) for place, texts in found.items()}
