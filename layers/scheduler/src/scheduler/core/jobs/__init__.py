"""A job, its attempts and its history, and the rules by which a job changes state: the values that all rooms share.

Open `job.py` first: a job has a spec (what it asks for), options (what its user prefers) and a status (where it
stands). Then open `attempt.py` and `transitions.py`: the changes that a cycle makes.
"""
