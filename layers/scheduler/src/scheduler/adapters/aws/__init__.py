"""Adapters for AWS services other than DynamoDB: SageMaker, CloudWatch, EventBridge and SNS. Also the system clock.

Open `sagemaker/training.py` first. Calls go through `sagemaker/rate_limited.py`, which keeps them below SageMaker's
rates.
"""
