"""Calls on the operators' documents of all kinds: show, apply, check. Open `document_calls.py` first."""
