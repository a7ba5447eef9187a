"""Benchmarks: the figures that docs/scheduling.md, docs/reliability.md and docs/cli.md quote.

Open `scheduling/report` first: it replays traces through the planner and writes docs/scheduling.md. `queue` measures
throughput, calls and cost of the whole queue, and `speed` how long cold starts, imports and lists take.
"""
