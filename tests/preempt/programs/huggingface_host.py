"""One of two hosts that resume after step 2.

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
torch.distributed.init_process_group("gloo", init_method=f"file://{meeting}", rank=rank, world_size=2)
callback = TrainerCallback()
assert callback.last_checkpoint(str(folder)) == str(folder / "checkpoint-2")
state = transformers.TrainerState(global_step=2, is_local_process_zero=True, is_world_process_zero=rank == 0)
callback.on_train_begin(SimpleNamespace(save_total_limit=2), state, transformers.TrainerControl())
callback.close()
torch.distributed.destroy_process_group()
