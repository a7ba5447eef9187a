"""The code that SageQueue's Lambda functions share (see docs/contribute/architecture.md).

Open `cycle/scheduler.py` for the loop, `queue/submission.py` for a new job, and `core/planner` for its decisions.
"""

import gc

# The imports create 65,000 objects, and all of them stay. With default settings, garbage collection took a twelfth of
# the import time.
gc.set_threshold(100_000)
