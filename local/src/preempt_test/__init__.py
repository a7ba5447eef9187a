"""`sagequeue preempt-test`: runs a training script on this machine, preempts it, and checks whether it survives.

Open `attempts.py` first: it implements the queue's side of docs/contribute/preemption-protocol.md. `verdict.py` judges
the attempts, and `cli.py` is the command.
"""
