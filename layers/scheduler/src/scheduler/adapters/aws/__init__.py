"""Adapters for the AWS services apart from DynamoDB: SageMaker, CloudWatch, EventBridge, SNS, and the clock.

Open `sagemaker/training.py` first. Calls go through `sagemaker/rate_limited.py`, which keeps them below SageMaker's
rates.
"""
