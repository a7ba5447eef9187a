"""Defines the kinds of work, training and tuning: their requests and names, and the progress of tuning jobs.

Open `kind.py` first.
"""
