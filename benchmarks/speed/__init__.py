"""How long cold starts, the import of the client, and lists take.

Open `cold_start` first. Each module prints its times and fails above a bound.
"""
