"""Holds jobs back until the jobs that they wait for have ended as required.

Open `option_values.py` for the notation, `verdict.py` for the rule, and `successors.py` for the changes to a job.
"""
