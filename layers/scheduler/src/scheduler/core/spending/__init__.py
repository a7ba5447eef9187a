"""Monthly spending limits by owner, team or tag, in GPU hours or dollars, and the prices that they need.

Open `limits.py` first, then `limit_use.py`, which computes how much of each limit is used and when jobs may not start.
`document.py` reads the operators' document, `spent_time.py` counts ended attempts, `prices/` calculates costs.
"""
