"""Editors of the operators' documents: get the applied version, check a new one, apply it.

Open `versioned_document.py` first: every editor applies documents through it. `dry_run.py` compares the verdicts on the
current jobs before and after a change.
"""
