"""Builds the services of the Lambda functions from their adapters, once for each warm function.

Open `shared.py` first: it builds everything that a submission needs.
"""
