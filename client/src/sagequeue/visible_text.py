"""Escapes control characters in the texts of jobs, scripts and SageMaker, so that they are safe to print.

Unescaped, a script's log could clear the terminal's screen, write to the clipboard, or hide neighbouring text.
"""

import re

# Control characters (C0 without tab and newline, DEL, C1), bidirectional marks, separators, the BOM, lone surrogates.
_UNSAFE = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff\ud800-\udfff]")


def visible(text: str) -> str:
    """Returns the text with control characters replaced by escapes such as `\\x1b`."""
    return _UNSAFE.sub(_escape, text)


def visible_json(text: str) -> str:
    """Returns the JSON text with control characters replaced by escapes; parsers read the same values."""
    return _UNSAFE.sub(lambda found: f"\\u{ord(found[0]):04x}", text)


def _escape(found: re.Match[str]) -> str:
    code = ord(found[0])
    return f"\\x{code:02x}" if code < 0x100 else f"\\u{code:04x}"
