"""The metrics of a host in moto's CloudWatch."""

import json
import time
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from textwrap import dedent
from typing import TYPE_CHECKING

import boto3
import pytest

from integration.local_sagemaker.endpoint import BUCKET, REGION, Endpoint, a_command, a_request, script_mode
from local_sagemaker.api.validation import service_model
from local_sagemaker.script_runner.cloudwatch.metrics import NAMESPACE, HostMetrics, gpus

if TYPE_CHECKING:
    from mypy_boto3_cloudwatch import CloudWatchClient

BUSY = {"CPUUtilization": 250.0, "MemoryUtilization": 20.0, "DiskUtilization": 30.0}
TELL_AND_COMPUTE = dedent("""
    import json, os, pathlib
    pathlib.Path(os.environ["SM_GPU_USAGE_FILE"]).write_text(json.dumps({"GPUUtilization": 12.5}))
    while True:
        sum(range(10_000))
""")


def published(host: str) -> dict[str, float]:
    """Returns the largest value of each metric of the host."""
    client = boto3.client("cloudwatch", region_name=REGION)
    names = {metric["MetricName"] for metric in client.list_metrics(Namespace=NAMESPACE)["Metrics"]}
    maxima = {name: maximum(client, name, host) for name in names}
    return {name: value for name, value in maxima.items() if value is not None}


def maximum(client: "CloudWatchClient", metric: str, host: str) -> float | None:
    now = datetime.now(UTC)
    points = client.get_metric_statistics(
        Namespace=NAMESPACE,
        MetricName=metric,
        Dimensions=[{"Name": "Host", "Value": host}],
        Period=3600,
        Statistics=["Maximum"],
        StartTime=now - timedelta(hours=2),
        EndTime=now + timedelta(hours=2),
    )["Datapoints"]
    return max((point["Maximum"] for point in points), default=None)


def host_metrics(script: Path, gpus_: int = 8, used: dict[str, float] = BUSY) -> HostMetrics:
    client = boto3.client("cloudwatch", region_name=REGION)
    return HostMetrics(client, "job/algo-1", gpus_, lambda: used, script)


def test_gpus_are_as_busy_as_the_cpu_and_each_adds_up_to_100(aws: None, tmp_path: Path) -> None:
    host_metrics(tmp_path / "none").publish()
    assert published("job/algo-1") == {**BUSY, "GPUUtilization": 800, "GPUMemoryUtilization": 800}


def test_a_type_without_gpus_has_no_gpu_metrics(aws: None, tmp_path: Path) -> None:
    host_metrics(tmp_path / "none", 0).publish()
    assert published("job/algo-1") == BUSY


def test_a_script_can_report_how_busy_its_gpus_are(aws: None, tmp_path: Path) -> None:
    script = tmp_path / "usage.json"
    script.write_text(json.dumps({"GPUUtilization": 10, "GPUMemoryUtilization": 50, "CPUUtilization": 1}))
    host_metrics(script).publish()
    assert published("job/algo-1") == {**BUSY, "GPUUtilization": 80, "GPUMemoryUtilization": 400}


@pytest.mark.parametrize(
    "nonsense",
    ["{", "[]", "[" * 100_000, '{"GPUUtilization": "x"}', '{"GPUUtilization": 1e400}', "\udcff"],
    ids=range(6),
)
def test_an_invalid_report_of_a_script_is_ignored(aws: None, tmp_path: Path, nonsense: str) -> None:
    script = tmp_path / "usage.json"
    script.write_text(nonsense, errors="surrogateescape")
    host_metrics(script).publish()
    assert published("job/algo-1")["GPUUtilization"] == 800


def test_a_host_that_is_gone_has_no_metrics(aws: None, tmp_path: Path) -> None:
    host_metrics(tmp_path / "none", used={}).publish()
    assert published("job/algo-1") == {}


def test_each_gpu_type_of_the_api_has_gpus() -> None:
    types = service_model().shape_for("TrainingInstanceType").enum  # type: ignore[attr-defined] # a string's
    with_gpus = {each for each in types if each.startswith(("ml.g", "ml.p"))}
    assert {each for each in types if gpus(each)} == with_gpus
    assert (gpus("ml.p4d.24xlarge"), gpus("ml.g5.xlarge"), gpus("ml.g5.12xlarge"), gpus("ml.m5.large")) == (8, 1, 4, 0)


@pytest.fixture
def quick_endpoint(aws: None, tmp_path: Path) -> Iterator[Endpoint]:
    endpoint = Endpoint(tmp_path, metrics_seconds=0.5)
    endpoint.s3.create_bucket(Bucket=BUCKET)
    endpoint.start()
    yield endpoint
    endpoint.stop()


def test_a_running_job_has_metrics_from_its_real_processes(quick_endpoint: Endpoint) -> None:
    endpoint = quick_endpoint
    resources = {"InstanceType": "ml.g5.12xlarge", "InstanceCount": 2, "VolumeSizeInGB": 1}
    script = script_mode(endpoint.upload_script(TELL_AND_COMPUTE))
    endpoint.client.create_training_job(**a_request("busy", ResourceConfig=resources, HyperParameters=script))
    deadline = time.monotonic() + 60
    while published("busy/algo-2").get("CPUUtilization", 0) < 5:
        assert time.monotonic() < deadline
    assert published("busy/algo-2")["GPUUtilization"] == 4 * 12.5
    assert 0 < published("busy/algo-1")["MemoryUtilization"] < 100
    assert 0 < published("busy/algo-1")["DiskUtilization"] <= 100


LOSSES = dedent("""
    import sys
    print("epoch 1: loss=0.9; accuracy=")
    print("epoch 2: loss=nan;", file=sys.stderr)
    print("epoch 3: loss=0.25; accuracy=0.875", flush=True)
    sys.exit(int(sys.argv[-1]))
""")
DEFINITIONS = [
    {"Name": "loss", "Regex": "loss=([^;]+);"},
    {"Name": "accuracy", "Regex": "accuracy=([0-9.]*)"},
    {"Name": "never", "Regex": "perplexity=(.*)"},
    {"Name": "no-group", "Regex": "loss"},
]


@pytest.mark.parametrize("code", [0, 3])
def test_metric_definitions_find_values_in_the_log(quick_endpoint: Endpoint, code: int) -> None:
    endpoint, name = quick_endpoint, f"losses-{code}"
    algorithm = {"TrainingImage": "image", "TrainingInputMode": "File", "MetricDefinitions": DEFINITIONS}
    script = script_mode(endpoint.upload_script(LOSSES), code=str(code))
    endpoint.client.create_training_job(**a_request(name, HyperParameters=script, AlgorithmSpecification=algorithm))
    endpoint.wait_for(name, "Completed", "Failed")
    final = endpoint.client.describe_training_job(TrainingJobName=name)["FinalMetricDataList"]
    assert {metric["MetricName"]: metric["Value"] for metric in final} == {"loss": 0.25, "accuracy": 0.875}
    assert all(abs((datetime.now(UTC) - metric["Timestamp"]).total_seconds()) < 60 for metric in final)
    assert values_of("loss", name) == pytest.approx((2, 1.15))
    assert values_of("accuracy", name) == pytest.approx((1, 0.875))


def values_of(metric: str, job: str) -> tuple[float, float]:
    """Returns the number of values in CloudWatch, and their sum, as `training_job_analytics` finds them."""
    now = datetime.now(UTC)
    points = boto3.client("cloudwatch", region_name=REGION).get_metric_statistics(
        Namespace=NAMESPACE,
        MetricName=metric,
        Dimensions=[{"Name": "TrainingJobName", "Value": job}],
        Period=3600,
        Statistics=["SampleCount", "Sum"],
        StartTime=now - timedelta(hours=2),
        EndTime=now + timedelta(hours=2),
    )["Datapoints"]
    return sum(point["SampleCount"] for point in points), sum(point["Sum"] for point in points)


def test_an_expression_that_is_none_fails_the_job(quick_endpoint: Endpoint) -> None:
    endpoint = quick_endpoint
    definitions = [{"Name": "loss", "Regex": "loss=(["}]
    algorithm = {**a_command("/bin/true"), "MetricDefinitions": definitions}
    endpoint.client.create_training_job(**a_request("unmeasured", AlgorithmSpecification=algorithm))
    reason = endpoint.wait_for("unmeasured", "Failed")["FailureReason"]
    assert reason.startswith("ClientError: The Regex of the metric 'loss' is not a regular expression")
