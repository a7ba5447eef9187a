"""The queue's connections to AWS: each module implements a port of `scheduler.ports` and hides AWS's terms.

Open `dynamodb` for the queue's records, `aws` for all other services, and `memory` for the same stores in memory, which
tests and simulations use.
"""
