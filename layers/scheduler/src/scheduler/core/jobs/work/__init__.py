"""Defines the kinds of work: training, tuning and processing. Also defines the progress of tuning jobs, and evaluators.

Open `kind.py` first.
"""
