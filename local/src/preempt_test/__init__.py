"""`sagequeue preempt-test`: runs a training script on this machine, preempts it, and judges how it survives.

Open `attempts.py` first: it plays the queue's side of the protocol in docs/contribute/preemption-protocol.md.
`verdict.py` judges what it saw, and `cli.py` is the command.
"""
