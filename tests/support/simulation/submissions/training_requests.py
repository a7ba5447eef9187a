"""Draws the requests that users submit, and the behaviour of their scripts."""

from collections.abc import Collection, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from random import Random
from typing import Any

from local_sagemaker.simulation import Workload
from support.simulation.submissions.gpu_usage import GPU_TYPES, GpuUse, use_of
from support.simulation.submissions.log_lines import hangs_on_cpus, has_losses, is_nan
from support.simulation.submissions.user_requests import SECRET

TYPES = ("ml.m5.large", "ml.g5.xlarge")
#: The budget of worlds with elastic jobs that grow, and the time limits of these jobs, in seconds.
WIDE_BUDGET = {TYPES[0]: 4, TYPES[1]: 3}
WIDE_LIMITS = (2400, 7200)
#: The longest keep-alive period in requests and rules, in seconds.
LONGEST_POOL = 600
#: The only training plan. It reserves instances with GPUs.
PLAN = "arn:aws:sagemaker:us-east-1:000000000000:training-plan/winter"


def random_body(random: Random, name: str, spot: float = 0.2) -> dict[str, Any]:
    """Draws a request. `spot` is the chance that it asks for spot instances."""
    is_spot = random.random() < spot
    runtime = random.choice([120, 600, 3600, 86_400])
    prefix = random.choice([name, name, name, "shared"])
    kind = random.choice([*[TYPES[0]] * 3, *[TYPES[1]] * 2])
    request: dict[str, Any] = {
        "TrainingJobName": name,
        "AlgorithmSpecification": {"TrainingImage": "image", "TrainingInputMode": "File"},
        "RoleArn": "arn:aws:iam::000000000000:role/SageMakerRole",
        "OutputDataConfig": {"S3OutputPath": "s3://bucket/out"},
        "ResourceConfig": {
            "InstanceType": kind,
            "InstanceCount": random.choice([1, 2] if kind in GPU_TYPES else [1, 1, 1, 2]),
            "VolumeSizeInGB": 2 if name[-1] in "37" else 1,  # not every job fits every pool
        },
        "StoppingCondition": {"MaxRuntimeInSeconds": runtime},
        "HyperParameters": {"password": SECRET},
        "Environment": {"TOKEN": SECRET},
        "Tags": [{"Key": "priority", "Value": str(random.choice([0, 1, 2, 5, 9]))}],
    }
    if random.random() < 0.7:
        request["CheckpointConfig"] = {"S3Uri": f"s3://bucket/checkpoints/{prefix}"}
    if random.random() < 0.2 and not is_spot:
        request["ResourceConfig"]["KeepAlivePeriodInSeconds"] = LONGEST_POOL
    if is_spot:
        request["EnableManagedSpotTraining"] = True
        request["StoppingCondition"]["MaxWaitTimeInSeconds"] = runtime + 3600
    _put_into_subnets(request)
    if random.random() < 0.2:
        request["RetryStrategy"] = {"MaximumRetryAttempts": 2}
    if random.random() < 0.1:
        request["Tags"].append({"Key": "queue:idle-exempt", "Value": "true"})
    # Depends on the other members, so that the rest of the world stays as it was.
    if Random(f"notify {request}").random() < 0.3:  # noqa: S311 - requests, not secrets
        request["Tags"].append({"Key": "queue:notify", "Value": "start+end+preemption"})
    return request


def _put_into_subnets(request: dict[str, Any]) -> None:
    """Puts some requests into subnets, depending on their other members."""
    random = Random(str(request))  # noqa: S311 - requests, not secrets
    if random.random() < 0.3:
        request["VpcConfig"] = {"SecurityGroupIds": ["sg-1"], "Subnets": ["subnet-1", "subnet-2"]}


def put_on_a_plan(request: dict[str, Any]) -> None:
    """Puts some requests on the training plan, depending on their other members."""
    is_possible = request["ResourceConfig"]["InstanceType"] in GPU_TYPES and "EnableManagedSpotTraining" not in request
    random = Random(f"plan {request}")  # noqa: S311 - requests, not secrets
    if is_possible and random.random() < 0.8:
        request["ResourceConfig"]["TrainingPlanArn"] = PLAN


def put_into_a_project(request: dict[str, Any]) -> None:
    """Tags most requests with a project, depending on their other members."""
    random = Random(f"project {request}")  # noqa: S311 - requests, not secrets
    if random.random() < 0.8:
        request["Tags"].append({"Key": "project", "Value": random.choice(["moon", "moon", "mars"])})


def choose_team(request: dict[str, Any], teams: Sequence[str]) -> None:
    """Chooses a team for some jobs, depending on the other members of their requests."""
    random = Random(f"team {request}")  # noqa: S311 - requests, not secrets
    if random.random() < 0.3:
        request["Tags"].append({"Key": "queue:team", "Value": random.choice(teams)})


def set_times(request: dict[str, Any], now: float) -> bool:
    """Sets the times of some requests, depending on their other members. Returns whether it did."""
    random = Random(f"times {request}")  # noqa: S311 - requests, not secrets
    if random.random() >= 0.15:
        return False
    start = now + random.choice([0, 0, 300, 1200])
    times = {"not-before": start, "expires": start + random.choice([200, 900]), "deadline": start + 400}
    for option in random.sample([*times], random.choice([1, 1, 2, 3])):
        time = datetime.fromtimestamp(times[option], UTC)
        request["Tags"].append({"Key": f"queue:{option}", "Value": time.isoformat()})
    return True


def set_dependencies(request: dict[str, Any], names: Sequence[str]) -> bool:
    """Lets some jobs wait for other jobs, depending on the other members of their requests. Returns whether it did."""
    random = Random(f"dependencies {request}")  # noqa: S311 - requests, not secrets
    if not names or random.random() >= 0.25:
        return False
    chosen = random.sample(names, min(len(names), random.choice([1, 1, 2])))
    for option in random.sample(["after-ok", "after-any", "after-not-ok"], 2):
        if chosen:
            given = chosen if random.random() < 0.5 else [chosen[0]]
            request["Tags"].append({"Key": f"queue:{option}", "Value": "+".join(given)})
            chosen = [name for name in chosen if name not in given]
    if random.random() < 0.3:
        request["Tags"].append({"Key": "queue:if-never-satisfied", "Value": "cancel"})
    return True


def use_models(body: dict[str, Any], names: Collection[str]) -> bool:
    """Lets some jobs use the model of a predecessor that has one of these names. Returns whether it did."""
    tags = {tag["Key"]: tag["Value"] for tag in body["Tags"]}
    usable = [name for name in tags.get("queue:after-ok", "").split("+") if name in names]
    random = Random(f"models {body['TrainingJobName']} {tags}")  # noqa: S311 - requests, not secrets
    if not usable or random.random() >= 0.6:
        return False
    used = {f"MODEL_{number}": f"${{jobs.{name}.model}}" for number, name in enumerate(usable)}
    body["Environment"] = {**body.get("Environment", {}), **used}
    return True


def with_preferences(body: dict[str, Any]) -> dict[str, Any]:
    """Lets SageMaker select the type of some requests: one instance of the other type is the second preference."""
    random = Random(f"preferences {body}")  # noqa: S311 - requests, not secrets
    if "EnableManagedSpotTraining" in body or "TrainingPlanArn" in body["ResourceConfig"] or random.random() >= 0.15:
        return body
    resources = body["ResourceConfig"]
    first = {name: resources[name] for name in ("InstanceType", "InstanceCount")}
    (other,) = {*TYPES} - {first["InstanceType"]}
    preferences = [first, {"InstanceType": other, "InstanceCount": 1}]
    others = {name: value for name, value in resources.items() if name not in first}
    return body | {"ResourceConfig": others | {"InstancePreferences": preferences}}


def make_elastic(body: dict[str, Any]) -> None:
    """Lets some jobs for two instances run on one, depending on the other members of their requests."""
    random = Random(f"elastic {body}")  # noqa: S311 - requests, not secrets
    if body["ResourceConfig"].get("InstanceCount") == 2 and random.random() < 0.5:
        body["Tags"].append({"Key": "queue:instances", "Value": "1-2"})


def widen(body: dict[str, Any]) -> dict[str, Any]:
    """Makes some jobs that train for long elastic, depending on the other members of their requests.

    Each could use all instances of its type, so it runs on fewer while other jobs run.
    """
    random = Random(f"wide {body}")  # noqa: S311 - requests, not secrets
    if random.random() >= 0.5:
        return body
    resources = body["ResourceConfig"]
    most = WIDE_BUDGET[resources["InstanceType"]]
    limit = random.choice(WIDE_LIMITS)
    limits = {name: limit + 3600 * ("Wait" in name) for name in body["StoppingCondition"]}
    kept = {name: value for name, value in resources.items() if name != "KeepAlivePeriodInSeconds"}
    checkpoints = {"S3Uri": f"s3://bucket/checkpoints/{body['TrainingJobName']}"}
    options = {"queue:instances": f"1-{most}", "queue:checkpoint-interval": random.choice(["60", "60", "600"])}
    tags = [*body["Tags"], *({"Key": name, "Value": value} for name, value in options.items())]
    return body | {
        "ResourceConfig": kept | {"InstanceCount": most},
        "StoppingCondition": limits,
        "CheckpointConfig": checkpoints,
        "Tags": tags,
    }


def work_in_the_container(body: dict[str, Any]) -> bool:
    """Makes some jobs interactive, depending on the other members of their requests. Returns whether it did."""
    random = Random(f"interactive {body}")  # noqa: S311 - requests, not secrets
    if random.random() >= 0.5:
        return False
    if random.random() < 0.5:
        body["RemoteDebugConfig"] = {"EnableRemoteDebug": True}
    else:
        body["Tags"].append({"Key": "queue:interactive", "Value": "true"})
    return True


def is_elastic(body: dict[str, Any]) -> bool:
    return any(tag["Key"] == "queue:instances" for tag in body["Tags"])


def alternatives_of(body: dict[str, Any]) -> list[dict[str, Any]]:
    """Returns the alternatives of a request: for some, one instance of the other type."""
    random = Random(f"alternatives {body}")  # noqa: S311 - requests, not secrets
    if random.random() >= 0.3 or "InstancePreferences" in body["ResourceConfig"] or is_elastic(body):
        return []
    (other,) = {*TYPES} - {body["ResourceConfig"]["InstanceType"]}
    changes = {"ResourceConfig": {"InstanceType": other, "InstanceCount": 1}, "HyperParameters": {"small": "true"}}
    return [{"request": changes, "wait_for_better": random.choice([0, 0, 300])}]


def order_of(body: dict[str, Any]) -> dict[str, str]:
    """Returns the option by which some jobs have their alternatives ranked."""
    is_ranked = Random(f"order {body}").random() < 0.5  # noqa: S311 - requests, not secrets
    return {"order": "best"} if is_ranked else {}


def random_course(seed: int, request: dict[str, Any]) -> Workload:
    """Draws the behaviour of a script: the same in each attempt of a job."""
    job = request["TrainingJobName"].rsplit("-sq-", 1)[0]
    random = Random(f"{seed}/{job}")  # noqa: S311 - scripts, not secrets
    # A job that hangs, or has idle or underused GPUs or NaN losses, runs long enough to be noticed.
    is_idle = request["ResourceConfig"]["InstanceType"] in GPU_TYPES and use_of(seed, job) is GpuUse.IDLE
    hangs = request["ResourceConfig"]["InstanceType"] not in GPU_TYPES and hangs_on_cpus(seed, job)
    trains = 1800 if is_idle or hangs else random.choice([0, 60, 300, 600])
    if request["ResourceConfig"]["InstanceType"] in GPU_TYPES and use_of(seed, job) is GpuUse.SLOW:
        trains = 1800
    if has_losses(seed) and is_nan(seed, job):
        trains = 1800
    return Workload(
        trains=random.choice([300, 3000]) if job.startswith("theirs") else trains,
        exit_code=random.choice([0, 0, 0, 0, 1]),
        prepares=random.choice([1, 30, 60]),
        uploads=random.choice([1, 30]),
        heeds_stop_after=random.choice([5, 5, 60, None]),
    )


def course_of_wide_jobs(seed: int, request: dict[str, Any]) -> Workload:
    """Draws the behaviour of a script: elastic jobs train for half of their time limits, and so outlast other jobs."""
    limit = request["StoppingCondition"]["MaxRuntimeInSeconds"]
    course = random_course(seed, request)
    return replace(course, trains=limit / 2) if limit in WIDE_LIMITS else course
