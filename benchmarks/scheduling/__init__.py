"""Replays of traces through the production planner, and through simpler schedulers for comparison.

Open `engine` first: it replays a trace on a virtual clock. `production` connects the planner to it, `figures` computes
the results, `targets` judges them, and `report` writes docs/scheduling.md.
"""
