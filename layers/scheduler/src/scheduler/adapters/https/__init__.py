"""Calls endpoints outside AWS.

Open `webhook_sender.py` first: it sends one notice. `parallel.py` runs several calls in parallel.
"""
