"""The scheduler: what the Lambda functions of SageQueue share (see docs/architecture.md)."""
