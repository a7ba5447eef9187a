"""Implements the operations of pipelines. Only callback steps run, because they need no other service of SageMaker."""
