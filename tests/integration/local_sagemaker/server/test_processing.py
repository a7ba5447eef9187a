"""Processing jobs behind real HTTP: the container's command is a process with inputs and outputs in S3."""

from typing import Any

import boto3

from integration.local_sagemaker.endpoint import BUCKET, REGION, Endpoint
from local_sagemaker.conformance.requests import a_processing_request

SCRIPT = """
import os, pathlib, sys
source, target = map(pathlib.Path, sys.argv[1:])
rows = source.joinpath("rows.csv").read_text().split()
target.joinpath("count.txt").write_text(str(len(rows)))
print("counted", len(rows), os.environ["PROCESSING_JOB_NAME"])
pathlib.Path(os.environ["SM_PROCESSING_DIR"]).parent.joinpath("output/message").write_text("all good")
"""


def a_request(endpoint: Endpoint, script: str, mode: str = "EndOfJob", **changes: Any) -> dict[str, Any]:
    s3 = endpoint.s3
    s3.put_object(Bucket=BUCKET, Key="code/script.py", Body=script.encode())
    s3.put_object(Bucket=BUCKET, Key="rows/rows.csv", Body=b"1\n2\n3\n")
    arguments = ["/opt/ml/processing/input/code/script.py", "/opt/ml/processing/rows", "/opt/ml/processing/out"]
    output = {"S3Uri": f"s3://{BUCKET}/counts", "LocalPath": "/opt/ml/processing/out", "S3UploadMode": mode}
    return a_processing_request(
        AppSpecification={
            "ImageUri": "image",
            "ContainerEntrypoint": ["python3"],
            "ContainerArguments": arguments,
        },
        ProcessingInputs=[an_input("code", "input/code"), an_input("rows", "rows")],
        ProcessingOutputConfig={"Outputs": [{"OutputName": "counts", "S3Output": output}]},
        **changes,
    )


def an_input(name: str, folder: str) -> dict[str, Any]:
    source = {
        "S3Uri": f"s3://{BUCKET}/{name}/",
        "LocalPath": f"/opt/ml/processing/{folder}",
        "S3DataType": "S3Prefix",
        "S3InputMode": "File",
    }
    return {"InputName": name, "S3Input": source}


def wait_for(endpoint: Endpoint, status: str) -> dict[str, Any]:
    while True:
        detail: dict[str, Any] = endpoint.events.get(timeout=60)["detail"]
        if detail["ProcessingJobStatus"] == status:
            return detail


def log(name: str) -> list[str]:
    logs = boto3.client("logs", region_name=REGION)
    group = "/aws/sagemaker/ProcessingJobs"
    (stream,) = logs.describe_log_streams(logGroupName=group, logStreamNamePrefix=f"{name}/algo-1-")["logStreams"]
    answer = logs.get_log_events(logGroupName=group, logStreamName=stream["logStreamName"], startFromHead=True)
    return [event["message"] for event in answer["events"]]


def test_the_script_reads_its_inputs_and_its_outputs_go_to_s3(endpoint: Endpoint) -> None:
    endpoint.client.create_processing_job(**a_request(endpoint, SCRIPT))
    wait_for(endpoint, "Completed")
    assert endpoint.read("counts/count.txt") == b"3"
    assert log("features") == ["counted 3 features"]
    job = endpoint.client.describe_processing_job(ProcessingJobName="features")
    assert job["ExitMessage"] == "all good"


def test_a_script_that_fails_fails_the_job(endpoint: Endpoint) -> None:
    endpoint.client.create_processing_job(**a_request(endpoint, "raise SystemExit('no')"))
    assert wait_for(endpoint, "Failed")["FailureReason"].startswith("AlgorithmError: ")
    assert log("features") == ["no"]


def test_a_missing_input_fails_the_job(endpoint: Endpoint) -> None:
    request = a_request(endpoint, SCRIPT)
    request["ProcessingInputs"].append(an_input("nothing", "nothing"))
    endpoint.client.create_processing_job(**request)
    assert "No S3 objects found" in wait_for(endpoint, "Failed")["FailureReason"]


def test_a_stop_ends_the_script_and_uploads_what_it_wrote(endpoint: Endpoint) -> None:
    script = "import sys, time\nopen(sys.argv[2] + '/part', 'w').write('half')\ntime.sleep(600)"
    endpoint.client.create_processing_job(**a_request(endpoint, script, mode="Continuous"))
    while not endpoint.s3.list_objects_v2(Bucket=BUCKET, Prefix="counts/").get("Contents"):
        pass
    endpoint.client.stop_processing_job(ProcessingJobName="features")
    wait_for(endpoint, "Stopped")
    assert endpoint.read("counts/part") == b"half"


def test_jobs_survive_a_restart_and_lost_work_is_an_internal_error(endpoint: Endpoint) -> None:
    script = "import sys, time\nopen(sys.argv[2] + '/part', 'w').write('half')\ntime.sleep(600)"
    endpoint.client.create_processing_job(**a_request(endpoint, script, mode="Continuous"))
    while not endpoint.s3.list_objects_v2(Bucket=BUCKET, Prefix="counts/").get("Contents"):
        pass
    endpoint.stop()
    endpoint.start()
    assert wait_for(endpoint, "Failed")["FailureReason"].startswith("InternalServerError: ")
