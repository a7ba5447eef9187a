"""Changes the widths of running elastic jobs.

`narrowing.py` chooses the jobs to stop for another job, so that elastic jobs continue on fewer instances.
"""
