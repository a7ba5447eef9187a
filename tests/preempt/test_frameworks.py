"""Real frameworks train small models, are preempted at random moments, and end as if they had not been."""

import json
import os
from pathlib import Path

import pytest
from click.testing import CliRunner

from preempt_test.cli import preempt_test

CHECKOUT = Path(__file__).parents[2]
PYTHON = CHECKOUT / os.environ.get("PREEMPT_PYTHON", ".venvs/preempt/bin/python")
SEED = os.environ.get("PREEMPT_SEED", "1")


@pytest.mark.parametrize(
    ("program", "times"), [("plain", 20), ("huggingface", 20), ("lightning_trainer", 20), ("ddp", 4)]
)
def test_a_training_that_is_preempted_at_random_moments_ends_with_the_same_loss(
    program: str, times: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A loss to the last digit is that of the last step, after the same steps on the same data."""
    sources = [str(CHECKOUT / "client/preempt/src"), *filter(None, [os.environ.get("PYTHONPATH")])]
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join(sources))
    options = {"--times": times, "--seed": SEED, "--metric": r"^loss=(\S+)", "--tolerance": 0, "--python": PYTHON}
    script = Path(__file__).parent / "programs" / f"{program}.py"
    arguments = [str(word) for option in options.items() for word in option]
    done = CliRunner().invoke(preempt_test, [*arguments, "--json", str(script)])
    assert done.exit_code == 0, done.output
    assert len(json.loads(done.stdout)["preemptions"]) == times
