"""Defines the kinds of work: training, tuning and processing. Also defines the progress of tuning jobs.

Open `kind.py` first.
"""
