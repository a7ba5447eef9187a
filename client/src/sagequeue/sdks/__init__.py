"""The SageMaker SDKs on the queue: a session for each, and adapters for their estimators and trainers.

Open `v2_session.py` or `v3_session.py` for what a training script changes. Importing them loads the SDK, which takes
seconds; `adapters.py` recognises SDK objects without importing an SDK.
"""
