"""Replays traces with the production planner and, for comparison, with simpler schedulers.

Open `engine` first: it replays a trace on a virtual clock. `production` connects the planner to it, and `figures`
computes the results. `report` and `cases` write docs/explain/benchmarks.md.
"""
