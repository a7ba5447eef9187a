"""Replays of traces through the production planner, and through simpler schedulers for comparison.

Open `engine` first: it replays a trace on a virtual clock. `production` connects the planner to it, `figures` computes
the results, and `targets` judges them. `report` and `cases` write docs/explain/benchmarks.md.
"""
