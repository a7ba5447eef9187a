"""The kinds of rules that the section `rules` may use. Each kind is a class whose fields are the rule's parameters.

To add a kind, write a class with the decorator `kind` next to a similar class. If the class is in a new module, import
that module in `../schema.py`, which finds kinds by name.
"""
