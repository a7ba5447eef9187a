"""The services behind users' requests: submit, act on jobs, list, explain, forecast, and change budget and intake.

Open `submission.py` first. These services never call SageMaker: they record requests, and the cycle carries them out.
"""
