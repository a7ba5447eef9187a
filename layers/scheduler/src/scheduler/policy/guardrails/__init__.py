"""The operator's rules for training jobs: a family of rules per module, one document, one check."""
