"""Calls on the operators' documents, which are the same for all kinds: show, apply, check.

Open `document_calls.py` first. Their JSON is typed in `document_answers.py` and made in `document_views.py`.
"""
