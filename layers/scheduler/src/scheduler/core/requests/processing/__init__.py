"""Requests for processing jobs: their demand and their refusals.

Open `reading.py` first.
"""
