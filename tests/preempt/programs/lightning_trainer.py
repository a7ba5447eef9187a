"""Lightning with a small network. Each step draws its own data, as Lightning does not skip batches when it resumes."""

from __future__ import annotations

import logging
import time
import warnings
from typing import Any

import lightning.pytorch
import torch

from sagequeue_preempt.lightning import Callback

STEPS = 1500


class Network(lightning.pytorch.LightningModule):  # type: ignore[misc]  # types are checked without lightning
    def __init__(self) -> None:
        super().__init__()
        self.layers = torch.nn.Sequential(torch.nn.Linear(8, 32), torch.nn.Linear(32, 1))
        self.last_loss = 0.0

    def _register_sharded_tensor_state_dict_hooks_if_available(self) -> None:
        """Does nothing: sharded tensors of Debian's torch 1.13 cannot be imported by Python 3.11."""

    def training_step(self, _batch: Any, _index: int) -> torch.Tensor:
        inputs = torch.randn(16, 8, generator=torch.Generator().manual_seed(self.global_step))
        loss = (self.layers(inputs) - inputs.sum(1, keepdim=True)).square().mean()
        self.last_loss = loss.item()
        time.sleep(0.02)  # as long as a larger network takes
        return loss

    def configure_optimizers(self) -> torch.optim.Optimizer:
        return torch.optim.Adam(self.parameters())


torch.set_num_threads(1)
warnings.simplefilter("ignore")
logging.getLogger("lightning").setLevel(logging.ERROR)
lightning.pytorch.seed_everything(1)
callback, model = Callback(), Network()
trainer = lightning.pytorch.Trainer(
    max_steps=STEPS,
    accelerator="cpu",
    devices=1,
    logger=False,
    enable_checkpointing=False,
    enable_progress_bar=False,
    enable_model_summary=False,
    callbacks=[callback],
)
data = torch.utils.data.DataLoader(torch.zeros(50, 1))
trainer.fit(model, data, ckpt_path=callback.last_checkpoint())
assert trainer.global_step == STEPS
print(f"loss={model.last_loss}")
