"""Builds a job from a CreateTrainingJob request and its options, and the request of each attempt from the job.

Open `job_building.py` first. `request_reading.py` refuses requests that the queue cannot run, and `options.py` reads
the options that users give in addition to a request.
"""
