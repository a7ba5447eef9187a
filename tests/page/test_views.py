"""Each view of a busy queue: content, accessibility and screenshots."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import requests
from playwright.sync_api import Page, expect

from local_account import LocalAccount
from page.conftest import OpenPage, Scheme
from page.pictures import Pictures
from sagequeue import QueueClient
from support.builders.pool_rules import pool_rules
from support.deployed.container_requests import BUCKET, body
from support.deployed.rest_api import RestApi
from support.deployed.waiting import eventually

AXE = Path(__file__).parents[2] / "client/ui/node_modules/axe-core/axe.min.js"
STEPS = "for step in $(seq 1 900); do echo step $step of 900, loss 0.$((99999 - step * 73)); sleep 1; done"
FAILS = "echo loading the data; echo no such file >&2; exit 3"
JOBS: tuple[tuple[str, str, int, str, int], ...] = (
    ("tokenizer", "echo 31200 words", 7, "ml.g5.2xlarge", 1),
    ("clip-eval", FAILS, 7, "ml.g5.xlarge", 1),
    ("bert-base-finetune", STEPS, 4, "ml.m5.large", 1),
    ("resnet50-imagenet", STEPS, 2, "ml.m5.large", 1),
    ("llama-lora", STEPS, 3, "ml.g5.xlarge", 2),
    ("clip-distill", STEPS, 1, "ml.g5.xlarge", 2),
    ("whisper-small-de", STEPS, 2, "ml.m5.large", 1),
    ("ablation-seed-7", STEPS, 1, "ml.m5.large", 1),
    ("ablation-seed-8", STEPS, 1, "ml.m5.large", 1),
    ("llm-pretrain", STEPS, 0, "ml.p4d.24xlarge", 1),
)
RULES = """{"format": 1, "rules": [
 {"name": "team-tag", "kind": "required_tags", "tags": {"team": {"values": ["vision", "speech"]}}, "mode": "warn"},
 {"name": "a-day", "kind": "max_runtime", "at_most": 86400},
 {"name": "speech-is-not-urgent", "kind": "priority_ceiling", "at_most": 5, "applies_to": {"team": "speech"}}],
 "exemptions": [{"rules": ["a-day"], "jobs": {"name": "llm-*"}, "owner": "head of research", "reason": "the big run",
                 "expires_at": "2099-01-31"}]}"""
SPENDING = """{"format": 1, "time_zone": "Europe/Berlin", "limits": [
 {"name": "each-owner", "owner": "*", "gpu_hours": 500}, {"name": "vision", "team": "vision", "dollars": 20},
 {"name": "moon", "tag": "project=moon", "dollars": 0}]}"""
CALENDAR = """{"format": 1, "time_zone": "Europe/Berlin", "windows": [
 {"name": "nights", "weekly": ["mon 20:00 - tue 06:00", "wed 20:00 - thu 06:00"], "budget": {"ml.g5.2xlarge": 4}}]}"""
#: Each view, and the texts that it must show.
VIEWS: tuple[tuple[str, tuple[str | re.Pattern[str], ...]], ...] = (
    ("now", ("llama-lora", re.compile("whisper-small-de in .*"), "nightly-report", "held since its submission")),
    (
        "job/clip-distill",
        ("preempted for urgent-fix", "clip-distill-sq-1", "preempted by urgent-fix", "step 1 of 900", "Cost"),
    ),
    ("teams", ("vision", "speech", "67 %", re.compile(r"^\d+\.\d h$"))),
    ("capacity", ("nights", "tokenizer-sq-1", re.compile("ml.p4d.24xlarge"))),
    ("spending", ("each-owner", "used up", "moon-shot")),
    ("history", ("completed", "clip-eval", "Use of instance time")),
    ("guardrails", ("speech-is-not-urgent", "vision, speech", "the big run")),
)


@pytest.fixture(scope="module")
def busy(account: LocalAccount, rest_api: RestApi, queue: QueueClient) -> Iterator[None]:
    for job in rest_api.jobs():
        rest_api.post(f"/jobs/{job['name']}/cancel")
    eventually(rest_api.jobs, lambda jobs: all(job["state"] in {"completed", "failed", "stopped"} for job in jobs))
    queue.apply_rules(RULES)
    queue.apply_spending(SPENDING)
    queue.apply_calendar(CALENDAR)
    queue.apply_pool_rules(pool_rules("ml.g5.2xlarge", "hold", minutes=30, dollars=5))
    lack(account, "ml.p4d.24xlarge")
    for name, command, priority, kind, instances in JOBS:
        rest_api.submit(a_request(name, command, priority, kind, instances))
    queue.submit(a_request("nightly-report", STEPS, 0, "ml.m5.large", 1), {"hold": True})
    moon = a_request("moon-shot", STEPS, 0, "ml.m5.large", 1)
    rest_api.submit({**moon, "Tags": [*moon["Tags"], {"Key": "project", "Value": "moon"}]})
    trained = ("bert-base-finetune", "resnet50-imagenet", "llama-lora", "clip-distill")
    eventually(lambda: [queue.get(name) for name in trained], lambda jobs: all(map(trains, jobs)))
    rest_api.submit(a_request("urgent-fix", STEPS, 9, "ml.g5.xlarge", 2))
    eventually(lambda: queue.get("urgent-fix"), trains)
    eventually(queue.pools, lambda found: bool(found["pools"]))
    eventually(queue.queue, lambda found: bool(found["shortages"]))
    yield
    for job in rest_api.jobs():
        rest_api.post(f"/jobs/{job['name']}/cancel")


@pytest.mark.timeout(600)
@pytest.mark.parametrize(("view", "told"), VIEWS, ids=[view for view, _ in VIEWS])
def test_a_view_shows_its_content_and_is_accessible(
    busy: None, open_page: OpenPage, pictures: Pictures, view: str, told: tuple[str | re.Pattern[str], ...]
) -> None:
    page = open_page(view)
    for text in told:
        expect(page.get_by_text(text).first).to_be_visible()
    pictures.take(page, view.partition("/")[0])
    for scheme in ("light", "dark"):
        assert not obstacles(page, scheme)


def obstacles(page: Page, scheme: Scheme) -> list[str]:
    """Returns the accessibility problems that axe finds."""
    page.emulate_media(color_scheme=scheme)
    page.evaluate(AXE.read_text())
    found: list[dict[str, Any]] = page.evaluate("axe.run().then((seen) => seen.violations)")
    grave = [one for one in found if one["impact"] in {"serious", "critical"}]
    return [f"{scheme}: {one['id']}: {[node['html'] for node in one['nodes'][:3]]}" for one in grave]


def lack(account: LocalAccount, kind: str) -> None:
    """SageMaker has no instances of the type for the rest of the tests."""
    told = {"instance_type": kind, "back_in_seconds": 36_000, "fails_after_seconds": 1}
    address = account.env()["AWS_ENDPOINT_URL_SAGEMAKER"]
    requests.put(f"{address}/_control/capacity", json=told, timeout=10).raise_for_status()


def trains(job: Any) -> bool:
    return job["state"] == "running" and bool(job["attempts"][-1]["training_started_at"])


def a_request(name: str, command: str, priority: int, kind: str, instances: int) -> dict[str, Any]:
    request = body(name, command, priority=priority, instances=instances)
    request["ResourceConfig"]["InstanceType"] = kind
    request["CheckpointConfig"] = {"S3Uri": f"s3://{BUCKET}/checkpoints/{name}"}
    return request
