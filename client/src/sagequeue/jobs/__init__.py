"""Presents a queued job as SageMaker presents a training job: its description and its log.

Open `description.py` first: it builds the answer to DescribeTrainingJob. `logs.py` joins the logs of all attempts, and
follows a job to its end. `polling.py` asks for a job until its caller stops.
"""
