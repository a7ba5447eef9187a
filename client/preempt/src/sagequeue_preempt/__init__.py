"""Saves a training job's checkpoint when the queue asks it to stop, and resumes from the newest complete checkpoint.

Runs in the training container: Python 3.9 and boto3 only. Open `preemptible` first: it is the class for any loop.
`huggingface`, `lightning` and `ddp` are for those frameworks, and only these modules import the frameworks.
"""

from sagequeue_preempt.preemptible import Preemptible

__all__ = ["Preemptible"]
