"""The kinds of rules that the section `rules` may use: one class each, whose fields are its parameters.

To add a kind, write a class with the decorator `kind` next to a similar one. A new module must be imported
in `schema.py` above, which finds kinds by their names.
"""
