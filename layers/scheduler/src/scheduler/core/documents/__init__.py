"""Shared parts of all operators' documents: versions, parsing of strict JSON, and problems with line numbers.

Open `parser.py` first: it parses any document. Each kind has a `document.py` in its capability's folder.
"""
