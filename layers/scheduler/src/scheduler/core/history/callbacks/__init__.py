"""Reports the ends of jobs to orchestrators that wait for them.

`callback.py` reads callbacks, `outcome.py` builds the report, and `timing.py` decides when it is sent.
"""
