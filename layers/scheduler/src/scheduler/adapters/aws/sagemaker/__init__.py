"""Implements the ports to SageMaker: a service for each kind of work, their rates, errors and events.

Open `training.py` first.
"""
