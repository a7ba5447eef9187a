"""A queued job in SageMaker's words: status, description, log lines and progress.

Open `status.py` first. `description.py` is what DescribeTrainingJob returns; `logs.py` joins the logs of all attempts.
"""
