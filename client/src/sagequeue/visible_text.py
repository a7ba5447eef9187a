"""Makes the texts of jobs, scripts and SageMaker safe to print: a terminal obeys control characters.

A script's log may otherwise clear the screen, write to the clipboard, or hide what stands beside it.
"""

import re

# Control characters (C0 without tab and newline, DEL, C1), marks that reorder or separate text, halves of characters.
_UNSAFE = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff\ud800-\udfff]")


def visible(text: str) -> str:
    """Returns the text with escapes, such as `\\x1b`, in place of characters that a terminal obeys."""
    return _UNSAFE.sub(_escape, text)


def visible_json(text: str) -> str:
    """Returns the same JSON with escapes in place of these characters; a program reads the same values."""
    return _UNSAFE.sub(lambda found: f"\\u{ord(found[0]):04x}", text)


def _escape(found: re.Match[str]) -> str:
    code = ord(found[0])
    return f"\\x{code:02x}" if code < 0x100 else f"\\u{code:04x}"
