"""Checks the rules between request members that SageMaker enforces, but that its API model does not contain.

Open `table.py` first: it lists each rule with its remedy and source. The other modules find members that break a rule.
"""
