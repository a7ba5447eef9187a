"""Reports the ends of jobs to orchestrators that wait for them.

`callback.py` reads callbacks, `outcome.py` has what is reported, and `timing.py` decides when.
"""
