"""A queued job in SageMaker's words: its description, and its log.

Open `description.py` first: it is what DescribeTrainingJob returns. `logs.py` joins the logs of all attempts, and
follows a job to its end.
"""
