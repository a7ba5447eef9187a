"""Changes the widths of running elastic jobs.

`narrowing.py` chooses the jobs to stop for another job, so that elastic jobs continue on fewer instances. `growing.py`
chooses the jobs to stop and restart on more instances, if no waiting job can use these instances.
"""
