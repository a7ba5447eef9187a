"""Hugging Face's Trainer with a small network. It shuffles the data, and skips what was seen before it resumes."""

from __future__ import annotations

import os
import time

import torch
import transformers

from sagequeue_preempt.huggingface import TrainerCallback

STEPS = 1500
FOLDER = os.environ["SAGEQUEUE_CHECKPOINT_PATH"]


class Network(torch.nn.Module):  # type: ignore[misc]  # types are checked without torch
    def __init__(self) -> None:
        super().__init__()
        self.layers = torch.nn.Sequential(torch.nn.Linear(8, 32), torch.nn.Dropout(0.2), torch.nn.Linear(32, 1))

    def forward(self, inputs: torch.Tensor, labels: torch.Tensor) -> dict[str, torch.Tensor]:
        time.sleep(0.02)  # as long as a larger network takes
        return {"loss": (self.layers(inputs) - labels).square().mean()}


torch.set_num_threads(1)
transformers.set_seed(1)
samples = torch.randn(200, 8, generator=torch.Generator().manual_seed(7))
arguments = transformers.TrainingArguments(
    FOLDER,
    max_steps=STEPS,
    save_strategy="no",
    save_total_limit=3,
    use_cpu=True,
    report_to=[],
    disable_tqdm=True,
    logging_strategy="no",
    per_device_train_batch_size=8,
)
callback = TrainerCallback()
trainer = transformers.Trainer(
    Network(),
    arguments,
    train_dataset=[{"inputs": row, "labels": row.sum(0, keepdim=True)} for row in samples],
    callbacks=[callback],
)
trainer.train(resume_from_checkpoint=callback.last_checkpoint(FOLDER))
assert trainer.state.global_step == STEPS
trainer.model.eval()
with torch.no_grad():
    print(f"loss={trainer.model(samples, samples.sum(1, keepdim=True))['loss'].item()}")
