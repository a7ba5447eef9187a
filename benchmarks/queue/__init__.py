"""Measures the whole queue, from the REST API to the end of a job: throughput, calls, DynamoDB units and times.

Open `whole_path` first. `bill` computes the units that DynamoDB bills. `python -m benchmarks.queue` prints all parts.
"""
