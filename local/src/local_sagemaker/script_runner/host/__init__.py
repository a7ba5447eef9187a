"""Runs one host of a training job: its process, its command and environment, and its file system.

Open `process` first. `sandbox` replaces a container's file system, `program` builds the command as the SageMaker
training toolkit does, and `cluster` names the hosts of a job.
"""
