"""One of two hosts that resume after the given step.

It calls the callback itself, because the Trainer cannot use gloo with Debian's torch 1.13.
"""

from __future__ import annotations

import sys
from pathlib import Path
from types import SimpleNamespace

import torch.distributed
import transformers

from sagequeue_preempt.huggingface import TrainerCallback

folder, meeting, rank = Path(sys.argv[1]), sys.argv[2], int(sys.argv[3])
step = int(sys.argv[4])
torch.distributed.init_process_group("gloo", init_method=f"file://{meeting}", rank=rank, world_size=2)
callback = TrainerCallback()
assert callback.last_checkpoint(str(folder)) == (str(folder / f"checkpoint-{step}") if step else None)
state = transformers.TrainerState(global_step=step, is_local_process_zero=True, is_world_process_zero=rank == 0)
callback.on_train_begin(SimpleNamespace(save_total_limit=2), state, transformers.TrainerControl())
if (folder / "checkpoint-20").exists():
    sys.exit("a torn checkpoint was not cleared")
(folder / "checkpoint-20").mkdir()  # as if the training had come so far
callback.on_train_begin(SimpleNamespace(save_total_limit=2), state, transformers.TrainerControl())
callback.close()
(folder / "checkpoint-20").rmdir()  # fails if another training of the process has cleared it
torch.distributed.destroy_process_group()
