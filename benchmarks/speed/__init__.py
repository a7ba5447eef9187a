"""Durations of cold starts, of the import of the client, and of lists.

Open `cold_start.py` first: it bounds each function's start by that of a bare DynamoDB client. Each module prints
its times and fails above a bound.
"""
