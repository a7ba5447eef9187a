"""Benchmarks: the figures that docs/explain/benchmarks.md, docs/explain/reliability.md and docs/reference/cli.md quote.

Open `scheduling/report` first: it replays traces through the planner and writes docs/explain/benchmarks.md. `queue`
measures throughput, calls and cost of the whole queue, and `speed` how long cold starts, imports and lists take.
"""
