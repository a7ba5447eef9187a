"""Models SageMaker Training as a deterministic state machine: the service's decisions, without a clock, threads or I/O.

Open `machine` first: it advances time, accepts reports and returns commands. `lifecycle` moves one job through its
statuses, `capacity` and `limits` decide when a job gets instances, and `fault_injection` makes calls and events fail.
The folder `tuning` has the tuning jobs, which launch training jobs; `processing` has the processing jobs.
"""
