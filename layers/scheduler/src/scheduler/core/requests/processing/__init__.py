"""Requests for processing jobs: their demand, their refusals, and their form for the operators' rules.

Open `reading.py` first.
"""
