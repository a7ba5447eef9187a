"""Prices of instances, and the cost of jobs and attempts, in US dollars.

Open `price.py` first. `price_snapshot.py` has the built-in prices, `schema.py` reads the operators' own.
"""
