"""Shared parts of all operators' documents: versions, parsing of strict JSON, and problems with line numbers.

Open `parser.py` first: it parses any document, given a dataclass of its members. Each kind has a `document.py` in its
capability's folder. `controls.py` has the settings that operators change without a document.
"""
