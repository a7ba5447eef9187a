"""A job, its attempts and its history, and the rules by which a job changes state: the values that all rooms share.

Open `job.py` first: a job has a spec (what it asks for), options (what its user prefers) and a status (where it
stands). `attempt.py` has its attempts, `transitions.py` the changes that a cycle makes, `user_actions.py` those that
users and operators make. `demand.py` and `budget.py` count instances; `team.py` and `principal.py` say who owns a job.
"""
