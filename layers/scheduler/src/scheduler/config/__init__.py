"""Edits the operators' documents: gets the applied version, checks a new one, applies it.

Open `document_editor.py` first: it edits any kind of document. `dry_run.py` compares the verdicts on the current jobs
before and after a change.
"""
