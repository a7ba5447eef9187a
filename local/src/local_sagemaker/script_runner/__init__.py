"""Does the work of training jobs: each host is a process in its own directory tree, without containers.

Open `training_run` first: it prepares one run of a job, trains, and uploads the results. `processing_run` runs a
processing job. `runner` carries out the state machine's commands in threads; `host` starts processes, `s3` moves files,
and `cloudwatch` sends logs and metrics.
"""
