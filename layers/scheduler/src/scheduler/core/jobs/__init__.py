"""Defines jobs, their attempts and history, and the rules by which jobs change state. All other packages share them.

Open `job.py` first: a job has a spec (its request), options (its user's preferences) and a status (its state and
history). Then open `attempt.py`, and `transitions.py` for the changes that a cycle makes.
"""
