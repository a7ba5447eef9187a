"""Bounds texts from outside, such as failure reasons, so that no record grows beyond what the table stores."""

#: Bytes of a text in a job's record: as many as a FailureReason has characters (aws-facts 2.28).
LONGEST_TEXT = 1024


def bounded(text: str, most_bytes: int = LONGEST_TEXT) -> str:
    """Returns the beginning of the text that has at most so many bytes in UTF-8. Half of a character is left out."""
    if text.isascii():
        return text[:most_bytes]
    return text.encode(errors="replace")[:most_bytes].decode(errors="ignore")
