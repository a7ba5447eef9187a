"""Turns a CreateTrainingJob request and the options beside it into a job, and a job into the request of an attempt.

Open `job_building.py` first. `request_reading.py` refuses requests, `options.py` reads users' choices beside them.
"""
