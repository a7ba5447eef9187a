"""How long cold starts, the import of the client, and lists take.

Open `cold_start.py` first: it bounds each function's start by that of a bare DynamoDB client. Each module prints
its times and fails above a bound.
"""
