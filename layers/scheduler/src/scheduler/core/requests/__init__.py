"""Turns a CreateTrainingJob request and the options beside it into a job, and a job into the request of an attempt.

Open `job_building.py` first. `request_reading.py` reads a request, and refuses what the queue cannot run or what
exceeds the whole budget. `options.py` and `alternatives.py` read what users choose beside the request, and
`attempt_request.py` makes the request that the queue sends to SageMaker.
"""
