"""Adapters for the AWS services apart from DynamoDB: SageMaker, CloudWatch, EventBridge, SNS, and the clock.

Open `sagemaker_training.py` first. Calls go through `rate_limited_training.py`, which keeps them below SageMaker's
rates.
"""
