"""The services behind users' requests: submit, act on jobs, list, explain, forecast, and change budget and intake.

Open `submission.py` first. Nothing here calls SageMaker: the cycle carries out what these services record.
"""
