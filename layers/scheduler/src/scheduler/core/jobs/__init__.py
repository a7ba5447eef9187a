"""A job, its attempts and its history, and the rules by which a job changes state: the values that all rooms share.

Open `job.py` first, then `attempt.py`. `transitions.py` has the changes that a cycle makes, `user_actions.py` those
that users and operators make. `demand.py` and `budget.py` count instances; `team.py` and `principal.py` say who owns
a job.
"""
