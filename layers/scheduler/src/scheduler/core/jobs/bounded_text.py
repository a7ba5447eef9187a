"""Shortens external texts, such as failure reasons, so that no record exceeds the size that the table can store."""

#: Maximum bytes of a text in a job's record: as many as a FailureReason may have characters (aws-facts 2.28).
LONGEST_TEXT = 1024


def bounded(text: str, most_bytes: int = LONGEST_TEXT) -> str:
    """Returns the beginning of the text, at most `most_bytes` bytes of UTF-8. A character that is cut is left out."""
    if text.isascii():
        return text[:most_bytes]
    return text.encode(errors="replace")[:most_bytes].decode(errors="ignore")
