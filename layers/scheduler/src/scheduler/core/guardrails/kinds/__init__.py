"""The kinds of rules that a rules document may use: one class each, whose fields are its parameters.

To add a kind, write a class with the decorator `kind` next to a similar one. A new module must be imported
in `document.py` above, which finds kinds by their names.
"""
