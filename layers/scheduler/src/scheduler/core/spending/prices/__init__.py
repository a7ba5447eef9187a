"""Prices of instances, and the cost of jobs and attempts, in US dollars.

Open `price.py` first. `price_snapshot.py` has the built-in prices, and `schema.py` reads the operators' own prices.
`choice_costs.py` ranks the choices of a job.
"""
