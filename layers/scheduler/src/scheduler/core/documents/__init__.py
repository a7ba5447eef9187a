"""Shared parts of all operators' documents: versions, parsing of strict JSON, and problems with line numbers.

Open `document_reading.py` first: it reads any document, given a function that structures its JSON. Each kind has a
`document.py` in its capability's folder. `controls.py` has the settings that operators change without a document.
"""
