"""`sagequeue config import`: the section that it prints, and its refusals."""

import json
from pathlib import Path

import yaml

from integration.sagequeue.fakes.shell import run
from unit.sagequeue.migration.test_batch import a_policy, a_share


def test_batch_prints_yaml_with_remarks_as_comments(tmp_path: Path) -> None:
    shares, policy = tmp_path / "shares.json", tmp_path / "policy.json"
    shares.write_text(json.dumps({"quotaShares": [a_share()]}))
    policy.write_text(json.dumps(a_policy(shareDistribution=[{"shareIdentifier": "vision", "weightFactor": 0.5}])))
    printed = run("config", "import", "batch", str(shares), str(policy)).stdout
    assert printed.startswith("# members: in Batch, each submission names its share.")
    assert yaml.safe_load(printed)["shares"]["vision"]["weight"] == 2.0


def test_batch_refuses_other_files(tmp_path: Path) -> None:
    file = tmp_path / "file"
    for text, message in (("shares:\n", "is not JSON"), ("{}", "has neither quotaShares nor schedulingPolicies")):
        file.write_text(text)
        result = run("config", "import", "batch", str(file))
        assert (result.exit_code, message in result.stderr) == (1, True)
