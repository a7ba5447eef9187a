"""Measures the durations of cold starts, of the client's import, and of lists.

Open `cold_start.py` first: it compares each function's start with that of a bare DynamoDB client. Each module prints
its times, and fails if one exceeds its bound.
"""
