"""Trains with Hugging Face's Trainer, and prints at each save which checkpoints are complete."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import torch
import transformers

from sagequeue_preempt.huggingface import TrainerCallback
from sagequeue_preempt.manifest import complete

FOLDER, STEPS, OWN_CHECKPOINT = Path(sys.argv[1]), int(sys.argv[2]), sys.argv[3:]


class Network(torch.nn.Module):  # type: ignore[misc]  # types are checked without torch
    def __init__(self) -> None:
        super().__init__()
        self.layer = torch.nn.Linear(8, 1)

    def forward(self, inputs: torch.Tensor, labels: torch.Tensor) -> dict[str, torch.Tensor]:
        return {"loss": (self.layer(inputs) - labels).square().mean()}


class Watch(transformers.TrainerCallback):  # type: ignore[misc]  # same
    """Runs after the Trainer has removed old checkpoints, and before the new one gets its manifest."""

    def on_save(self, args: Any, state: Any, control: Any, **kwargs: Any) -> None:  # noqa: ARG002  # the Trainer's own arguments
        names = sorted(path.name for path in FOLDER.iterdir() if complete(path))
        print(json.dumps({"step": state.global_step, "complete": names}))


torch.set_num_threads(1)
arguments = transformers.TrainingArguments(
    str(FOLDER),
    max_steps=STEPS,
    save_steps=2,
    save_total_limit=2,
    use_cpu=True,
    report_to=[],
    disable_tqdm=True,
    logging_strategy="no",
)
callback = TrainerCallback()
trainer = transformers.Trainer(
    Network(),
    arguments,
    train_dataset=[{"inputs": torch.ones(8), "labels": torch.ones(1)}] * 64,
    callbacks=[Watch(), callback],
)
last = callback.last_checkpoint(str(FOLDER))
trainer.train(resume_from_checkpoint=OWN_CHECKPOINT[0] if OWN_CHECKPOINT else last)
