"""The live attempts of one cycle: their creation, the stops that are sent to them, and what their ends change.

Open `attempts.py` first: it takes the next step with each attempt. `creation.py` sends Create, and decides after an
error whether the attempt exists. `attempt_records.py` writes job and attempt.
"""
