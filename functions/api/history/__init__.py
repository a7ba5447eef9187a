"""GET /history: the recorded changes of all jobs.

Open `changes.py` first. The history function sends the same JSON to EventBridge, so `change_views.py` serves both.
"""
