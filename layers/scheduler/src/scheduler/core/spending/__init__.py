"""Monthly spending limits by owner, team or tag, in GPU hours or dollars, and the prices that they need.

Open `limits.py` first, then `limit_use.py`. `spent_time.py` counts finished attempts, and `prices/` calculates costs.
"""
