"""Connects the SageMaker SDKs to the queue: a session for each SDK, and adapters for their estimators and trainers.

Open `v2_session.py` or `v3_session.py` for the session of a training script. Importing them loads the SDK, which takes
seconds; `adapters.py` recognises SDK objects without importing an SDK.
"""
