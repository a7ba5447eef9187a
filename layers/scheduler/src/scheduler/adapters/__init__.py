"""The queue's connections to AWS: each module implements a port of `scheduler.ports` and hides AWS's terms.

Open `dynamodb` for the queue's records, and `aws` for all other services.
"""
