"""A job, its attempts and its history, and the rules by which a job changes state: the values that all rooms share.

Open `job` first, then `attempt`. `transitions` has the changes that a cycle makes, `user_actions` those that users and
operators make. `demand` and `budget` count instances; `team` and `principal` say who owns a job.
"""
