"""Holds jobs back until the jobs for which they wait have ended as required.

Open `option_values.py` for the notation, `verdict.py` for the rule, and `successors.py` for the changes to a job.
"""
