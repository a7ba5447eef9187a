"""The jobs and the configuration of a busy queue, and the requests of its jobs."""

from typing import Any

from support.deployed.container_requests import BUCKET, body

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
CONFIG = """
shares:
  vision: {members: ["*:root"], weight: 2, quota: {ml.m5.large: 1}}
  speech: {members: ["*:assumed-role/Speech/*"]}
rules:
  rules:
    - {name: team-tag, kind: required_tags, tags: {team: {values: [vision, speech]}}, mode: warn}
    - {name: a-day, kind: max_runtime, at_most: 1d}
    - {name: speech-is-not-urgent, kind: priority_ceiling, at_most: 5, applies_to: {team: speech}}
  exemptions:
    - {rules: [a-day], jobs: {name: llm-*}, owner: head of research, reason: the big run, expires_at: 2099-01-31}
spending:
  time_zone: Europe/Berlin
  limits:
    - {name: each-owner, owner: "*", gpu_hours: 500}
    - {name: vision, team: vision, dollars: 20}
    - {name: moon, tag: project=moon, dollars: 0}
calendar:
  time_zone: Europe/Berlin
  windows:
    - {name: nights, weekly: ["mon 20:00 - tue 06:00", "wed 20:00 - thu 06:00"], budget: {ml.g5.2xlarge: 4}}
pools:
  - {instance_type: ml.g5.2xlarge, use: hold, keep: 30m, dollars: 5}
"""


def trains(job: Any) -> bool:
    return job["state"] == "running" and bool(job["attempts"][-1]["training_started_at"])


def a_request(name: str, command: str, priority: int, kind: str, instances: int) -> dict[str, Any]:
    request = body(name, command, priority=priority, instances=instances)
    request["ResourceConfig"]["InstanceType"] = kind
    request["AlgorithmSpecification"]["MetricDefinitions"] = [{"Name": "loss", "Regex": "loss ([0-9.]+)"}]
    request["CheckpointConfig"] = {"S3Uri": f"s3://{BUCKET}/checkpoints/{name}"}
    return request
