"""The kinds of work that jobs can be: their requests and names, and the progress of tuning jobs.

Open `kind.py` first.
"""
