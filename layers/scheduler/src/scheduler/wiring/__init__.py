"""Builds the Lambda functions' services from their adapters, once per warm function. Open `shared.py` first."""
