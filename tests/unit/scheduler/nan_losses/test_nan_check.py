"""The losses in the lines of each host decide whether a loss is NaN."""

import pytest

from scheduler.core.idle_gpus.nan_losses.nan_check import NanFinding, nan_finding
from scheduler.core.idle_gpus.nan_losses.nan_rule import NanRule

RULE = NanRule(values=2)
NUMBER, NAN, UNKNOWN = NanFinding.NUMBER, NanFinding.NAN, NanFinding.UNKNOWN


@pytest.mark.parametrize(
    "line",
    [
        "{'loss': nan, 'grad_norm': nan, 'learning_rate': 0.0001, 'epoch': 1.0}",  # transformers' Trainer
        " 12/782 [....] - ETA: 1:02 - loss: nan - accuracy: 0.1000",  # Keras
        "Epoch 0:  50%|     | 5/10 [00:01<00:01, train_loss=nan.0]",  # Lightning writes nan.0
        "step 10 Loss = NaN",
        "loss: tensor(nan, device='cuda:0', grad_fn=<MulBackward0>)",
        "[1,mpirank:0] iteration 3 | lm loss: -nan",
        '{"step": 3, "loss": NaN}',
        '{"loss": "nan"}',
    ],
)
def test_programs_write_nan_in_several_ways(line: str) -> None:
    assert nan_finding([[line, line]], RULE, is_warned=False) is NAN


@pytest.mark.parametrize(
    "line", ["loss: 0.25", "loss=1e-3", "loss: inf", "'loss': -12", "Loss: tensor(2.3, device='cuda:0')"]
)
def test_other_losses_are_numbers(line: str) -> None:
    assert nan_finding([[line, line]], RULE, is_warned=False) is NUMBER


@pytest.mark.parametrize(
    ("hosts", "is_warned", "finding"),
    [
        ([], False, UNKNOWN),
        ([["epoch 1", "lossy: nano", "loss: nanmean"]], False, UNKNOWN),
        ([["loss=nan"]], False, UNKNOWN),
        ([["loss=0.1", "loss=nan", "loss=nan"]], False, NAN),
        ([["loss=0.1", "loss=nan", "loss=nan"]], True, NUMBER),
        ([["loss=nan", "loss=nan"], ["downloads data"]], True, NAN),
        ([["loss=nan", "loss=nan"], ["loss=0.1", "loss=0.1"]], False, NUMBER),
        ([["loss=nan", "loss=nan"], ["loss=nan"]], False, UNKNOWN),
        ([["loss=nan val_loss=0.3"]], False, NUMBER),
    ],
)
def test_the_newest_losses_of_every_host_count(hosts: list[list[str]], is_warned: bool, finding: NanFinding) -> None:
    assert nan_finding(hosts, RULE, is_warned=is_warned) is finding
