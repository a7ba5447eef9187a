"""Measures the figures in docs/explain/benchmarks.md, docs/explain/reliability.md and docs/reference/cli.md.

Open `scheduling/report` first: it replays traces through the planner and writes docs/explain/benchmarks.md. `queue`
measures throughput, calls and cost of the whole queue, and `speed` the durations of cold starts, imports and lists.
"""
