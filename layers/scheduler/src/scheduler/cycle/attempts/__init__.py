"""Follows the live attempts of one cycle: creates them, sends their stops, and records their ends.

Open `attempts.py` first: it takes the next step for each attempt. `creation.py` sends Create, and decides after an
error whether the attempt exists. `attempt_records.py` writes jobs and attempts.
"""
