"""The scheduler: what the Lambda functions of SageQueue share (see docs/architecture.md)."""

import gc

# A cold start makes 65,000 objects, and all of them stay: a twelfth of its time went into looking for garbage.
gc.set_threshold(100_000)
