"""The rules between members of a request that SageMaker enforces, and that the model of its API lacks.

Open `table.py` first: it has each rule with its remedy and source. The other modules find members that break them.
"""
