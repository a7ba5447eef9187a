"""Turns a CreateTrainingJob request and the options beside it into a job, and a job into the request of an attempt.

Open `job_building.py` first. `budget_check.py` refuses what exceeds the whole budget, `unsupported_requests.py` what
the queue cannot run. `options.py` and `alternatives.py` read what users choose beside the request, and
`attempt_request.py` makes the request that the queue sends to SageMaker.
"""
