"""Turns a CreateTrainingJob request and the options beside it into a job, and a job into the request of an attempt.

Open `job_building.py` first: it refuses requests that the queue cannot run. `options.py` and `alternatives.py` read
what users choose beside the request, `attempt_request.py` makes the request that the queue sends to SageMaker.
"""
