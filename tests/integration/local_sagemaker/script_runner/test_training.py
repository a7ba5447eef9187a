"""Real scripts, run as SageMaker runs them."""

import json
import re
import threading
from pathlib import Path
from textwrap import dedent

import psutil
import pytest
import requests

from integration.local_sagemaker.endpoint import (
    BUCKET,
    KEY,
    Endpoint,
    a_channel,
    a_command,
    a_request,
    script_mode,
)
from local_guard.rule import KEY_HEADER

LOOK_AROUND = dedent("""
    import json, os, pathlib, sys
    seen = {
        "arguments": sys.argv[1:],
        "train": sorted(os.listdir(os.environ["SM_CHANNEL_TRAIN"])),
        "hps": json.loads(os.environ["SM_HPS"]),
        "epochs": os.environ["SM_HP_EPOCHS"],
        "host": os.environ["SM_CURRENT_HOST"],
        "hosts": json.loads(os.environ["SM_HOSTS"]),
        "job": os.environ["TRAINING_JOB_NAME"],
        "job_in_env": json.loads(os.environ["SM_TRAINING_ENV"])["job_name"],
        "own": os.environ["OWN"],
    }
    print(json.dumps(seen))
    pathlib.Path(os.environ["SM_MODEL_DIR"], f"{seen['host']}.txt").write_text("a model")
    pathlib.Path(os.environ["SM_OUTPUT_DATA_DIR"], "report.txt").write_text("a report")
""")

TRAIN_UNTIL_TOLD = dedent("""
    import os, pathlib, signal, sys
    checkpoint = pathlib.Path(os.environ["SM_CHECKPOINT_DIR"], "epoch")
    done = int(checkpoint.read_text()) if checkpoint.exists() else 0
    print(f"continuing at epoch {done + 1}")
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(print("told to stop")))
    checkpoint.write_text(str(done + 1))
    if done == 0:
        signal.pause()
""")


def test_a_script_finds_its_inputs_and_its_model_is_uploaded(endpoint: Endpoint) -> None:
    endpoint.s3.put_object(Bucket=BUCKET, Key="data/train/a.csv", Body=b"1")
    endpoint.s3.put_object(Bucket=BUCKET, Key="data/training-not/b.csv", Body=b"2")
    source = endpoint.upload_script(LOOK_AROUND)
    endpoint.client.create_training_job(
        **a_request(
            "look",
            HyperParameters=script_mode(source, epochs="3", lr="0.1", name='"x"', k="true"),
            InputDataConfig=[a_channel("train", "data/train/")],
            Environment={"OWN": "value"},
        )
    )
    assert endpoint.wait_for("look", "Completed", "Failed")["FailureReason"] is None
    assert json.loads(endpoint.log("look")[0]) == {
        "arguments": ["--epochs", "3", "-k", "True", "--lr", "0.1", "--name", "x"],
        "train": ["a.csv"],
        "hps": {"epochs": 3, "lr": 0.1, "name": "x", "k": True},
        "epochs": "3",
        "host": "algo-1",
        "hosts": ["algo-1"],
        "job": "look",
        "job_in_env": "look",
        "own": "value",
    }
    assert endpoint.read_archive("out/look/output/model.tar.gz") == {"algo-1.txt": "a model"}
    assert endpoint.read_archive("out/look/output/output.tar.gz") == {"report.txt": "a report"}


def test_a_stopped_job_is_resumed_from_its_checkpoint(endpoint: Endpoint) -> None:
    source = endpoint.upload_script(TRAIN_UNTIL_TOLD)
    shared = {
        "HyperParameters": script_mode(source),
        "CheckpointConfig": {"S3Uri": f"s3://{BUCKET}/checkpoints/run"},
    }
    endpoint.client.create_training_job(**a_request("first", **shared))
    endpoint.s3.get_waiter("object_exists").wait(  # checkpoints are copied while the job runs
        Bucket=BUCKET, Key="checkpoints/run/epoch", WaiterConfig={"Delay": 1, "MaxAttempts": 30}
    )
    endpoint.client.stop_training_job(TrainingJobName="first")
    endpoint.wait_for("first", "Stopped")
    endpoint.client.create_training_job(**a_request("second", **shared))
    endpoint.wait_for("second", "Completed")
    assert endpoint.log("first") == ["continuing at epoch 1", "told to stop"]
    assert endpoint.log("second") == ["continuing at epoch 2"]
    assert endpoint.read("checkpoints/run/epoch") == b"2"


def test_a_copied_checkpoint_has_a_marker_beside_it_that_is_not_copied(endpoint: Endpoint) -> None:
    waits = "cd $SM_CHECKPOINT_DIR; touch epoch; until [ -e epoch.sagemaker-uploaded ]; do sleep 0.1; done; ls"
    removes = "rm epoch; while [ -e epoch.sagemaker-uploaded ]; do sleep 0.1; done; touch other"
    request = a_request(
        "marked",
        AlgorithmSpecification=a_command("/bin/sh", "-c", f"{waits}; {removes}"),
        CheckpointConfig={"S3Uri": f"s3://{BUCKET}/checkpoints/marked"},
    )
    endpoint.client.create_training_job(**request)
    endpoint.wait_for("marked", "Completed")
    assert endpoint.log("marked") == ["epoch", "epoch.sagemaker-uploaded"]
    listed = endpoint.s3.list_objects_v2(Bucket=BUCKET, Prefix="checkpoints/marked/")["Contents"]
    assert [item["Key"] for item in listed] == ["checkpoints/marked/other"]


def test_a_crash_of_the_service_ends_the_process_and_keeps_the_checkpoints(endpoint: Endpoint) -> None:
    saves = a_command("/bin/sh", "-c", "cd $SM_CHECKPOINT_DIR; echo $$ > process; exec sleep 300")
    lost = {"AlgorithmSpecification": saves, "CheckpointConfig": {"S3Uri": f"s3://{BUCKET}/checkpoints/lost"}}
    endpoint.client.create_training_job(**a_request("lost", **lost))
    endpoint.s3.get_waiter("object_exists").wait(
        Bucket=BUCKET, Key="checkpoints/lost/process", WaiterConfig={"Delay": 1, "MaxAttempts": 30}
    )
    requests.post(
        f"{endpoint.url}/_control/jobs/lost/fail", json={}, headers={KEY_HEADER: KEY}, timeout=10
    ).raise_for_status()
    endpoint.wait_for("lost", "Failed")
    for thread in [one for one in threading.enumerate() if one.name == "lost"]:
        thread.join(timeout=30)
    process = int(endpoint.read("checkpoints/lost/process"))
    assert not psutil.pid_exists(process)


def test_the_preempt_package_finds_the_jobs_directory_without_a_stop_notice(endpoint: Endpoint) -> None:
    request = a_request(
        "unnoticed",
        AlgorithmSpecification=a_command("/bin/sh", "-c", 'echo saved > "$SAGEQUEUE_CHECKPOINT_PATH/epoch"'),
        CheckpointConfig={"S3Uri": f"s3://{BUCKET}/checkpoints/unnoticed"},
    )
    endpoint.client.create_training_job(**request)
    assert endpoint.wait_for("unnoticed", "Completed", "Failed")["FailureReason"] is None
    assert endpoint.read("checkpoints/unnoticed/epoch") == b"saved\n"


def test_a_literal_checkpoint_path_is_mapped_to_the_jobs_directory(endpoint: Endpoint) -> None:
    request = a_request(
        "literal",
        AlgorithmSpecification=a_command("/bin/sh", "-c", "echo saved > /opt/ml/checkpoints/epoch"),
        CheckpointConfig={"S3Uri": f"s3://{BUCKET}/checkpoints/literal"},
    )
    endpoint.client.create_training_job(**request)
    endpoint.wait_for("literal", "Completed")
    assert endpoint.read("checkpoints/literal/epoch") == b"saved\n"


def test_a_script_that_crashes_fails_its_job_with_the_end_of_stderr(endpoint: Endpoint) -> None:
    source = endpoint.upload_script("raise RuntimeError('no such luck')")
    endpoint.client.create_training_job(**a_request("crash", HyperParameters=script_mode(source)))
    reason = endpoint.wait_for("crash", "Failed")["FailureReason"]
    assert reason.startswith('AlgorithmError: ExecuteUserScriptError:\nExitCode 1\nErrorMessage "Traceback')
    assert reason.endswith('RuntimeError: no such luck"')


def test_a_process_that_ignores_sigterm_is_killed(endpoint: Endpoint) -> None:
    endpoint.stop()
    endpoint.behaviour = endpoint.behaviour.__class__(rate_factor=1000, grace_seconds=0.2, startup=lambda _request: 0)
    endpoint.start()
    stubborn = a_command("/bin/sh", "-c", "trap '' TERM; while true; do sleep 1; done")
    endpoint.client.create_training_job(**a_request("stubborn", AlgorithmSpecification=stubborn))
    endpoint.wait_for("stubborn", "Training")
    endpoint.client.stop_training_job(TrainingJobName="stubborn")
    assert endpoint.wait_for("stubborn", "Stopped")["TrainingJobStatus"] == "Stopped"


def test_each_host_runs_a_process_and_all_models_are_merged(endpoint: Endpoint) -> None:
    groups = [
        {"InstanceGroupName": "big", "InstanceType": "ml.m5.xlarge", "InstanceCount": 1},
        {"InstanceGroupName": "small", "InstanceType": "ml.m5.large", "InstanceCount": 2},
    ]
    script = "echo $SM_CURRENT_INSTANCE_GROUP > /opt/ml/model/$SM_CURRENT_HOST"
    request = a_request(
        "group",
        ResourceConfig={"InstanceGroups": groups, "VolumeSizeInGB": 1},
        AlgorithmSpecification=a_command("/bin/sh", "-c", script),
    )
    endpoint.client.create_training_job(**request)
    endpoint.wait_for("group", "Completed")
    models = endpoint.read_archive("out/group/output/model.tar.gz")
    assert models == {"algo-1": "big\n", "algo-2": "small\n", "algo-3": "small\n"}


def test_when_one_host_fails_the_others_are_ended(endpoint: Endpoint) -> None:
    request = a_request(
        "pair",
        ResourceConfig={"InstanceType": "ml.m5.large", "InstanceCount": 2, "VolumeSizeInGB": 1},
        AlgorithmSpecification=a_command("/bin/sh", "-c", '[ "$SM_CURRENT_HOST" = algo-2 ] && exit 7; sleep 600'),
    )
    endpoint.client.create_training_job(**request)
    assert "ExitCode 7" in endpoint.wait_for("pair", "Failed")["FailureReason"]


def test_sharded_objects_are_distributed_over_the_hosts(endpoint: Endpoint) -> None:
    for name in "abcd":
        endpoint.s3.put_object(Bucket=BUCKET, Key=f"shards/{name}", Body=b"")
    request = a_request(
        "shards",
        ResourceConfig={"InstanceType": "ml.m5.large", "InstanceCount": 2, "VolumeSizeInGB": 1},
        InputDataConfig=[a_channel("data", "shards", S3DataDistributionType="ShardedByS3Key")],
        AlgorithmSpecification=a_command("/bin/sh", "-c", "ls /opt/ml/input/data/data"),
    )
    endpoint.client.create_training_job(**request)
    endpoint.wait_for("shards", "Completed")
    assert [endpoint.log("shards", "algo-1"), endpoint.log("shards", "algo-2")] == [["a", "c"], ["b", "d"]]


def test_uncompressed_output_is_uploaded_as_files(endpoint: Endpoint) -> None:
    request = a_request(
        "plain",
        OutputDataConfig={"S3OutputPath": f"s3://{BUCKET}/out", "CompressionType": "NONE"},
        AlgorithmSpecification=a_command("/bin/sh", "-c", "echo weights > /opt/ml/model/w"),
    )
    endpoint.client.create_training_job(**request)
    endpoint.wait_for("plain", "Completed")
    assert endpoint.read("out/plain/output/model/w") == b"weights\n"


@pytest.mark.parametrize(
    ("changes", "reason"),
    [
        (
            {"HyperParameters": script_mode(f"s3://{BUCKET}/none")},
            "ClientError: Data download failed:No source archive",
        ),
        ({"InputDataConfig": [a_channel("train", "none")]}, "ClientError: Data download failed:No S3 objects found"),
        (
            {"OutputDataConfig": {"S3OutputPath": "s3://no-such-bucket/out"}},
            "ClientError: An error occurred (NoSuchBucket)",
        ),
        ({"CheckpointConfig": {"S3Uri": "https://elsewhere/x"}}, "ClientError: 'https://elsewhere/x' is not an S3 URI"),
        ({"AlgorithmSpecification": a_command("/no/such/program")}, "ClientError: [Errno 2] No such file"),
        (
            {"ResourceConfig": {"InstanceType": "ml.m5.large", "InstanceCount": 100_000, "VolumeSizeInGB": 1}},
            "ClientError: local_sagemaker runs jobs of up to 64 hosts",
        ),
        ({"Environment": {"NUL": "a\0b"}}, "ClientError: embedded null byte"),
        (
            {"AlgorithmSpecification": {"TrainingImage": "image", "TrainingInputMode": "File"}},
            "ClientError: local_sagemaker runs scripts, not images",
        ),
    ],
)
def test_missing_inputs_fail_the_job_and_not_the_server(
    endpoint: Endpoint, changes: dict[str, object], reason: str
) -> None:
    request = a_request("lacking", **{"AlgorithmSpecification": a_command("true"), **changes})
    endpoint.client.create_training_job(**request)
    assert endpoint.wait_for("lacking", "Failed", "Completed")["FailureReason"].startswith(reason)


def test_aws_own_driver_scripts_find_their_files_although_they_name_opt_ml(endpoint: Endpoint) -> None:
    driver = b"/bin/sh /opt/ml/input/data/code/train.sh > /opt/ml/model/driven"
    endpoint.s3.put_object(Bucket=BUCKET, Key="job/sm_drivers/sm_train.sh", Body=driver)
    endpoint.s3.put_object(Bucket=BUCKET, Key="job/code/train.sh", Body=b"echo from the source channel")
    request = a_request(
        "driven",
        InputDataConfig=[a_channel("sm_drivers", "job/sm_drivers"), a_channel("code", "job/code")],
        AlgorithmSpecification=a_command("/bin/sh", "/opt/ml/input/data/sm_drivers/sm_train.sh"),
    )
    endpoint.client.create_training_job(**request)
    endpoint.wait_for("driven", "Completed", "Failed")
    assert endpoint.read_archive("out/driven/output/model.tar.gz") == {"driven": "from the source channel\n"}


TORCHRUN = dedent("""
    import runpy, sys
    print("torchrun", *sys.argv[1:], flush=True)
    runpy.run_path(next(word for word in sys.argv[1:] if word.endswith(".py")))
""")


@pytest.fixture
def torch(tmp_path: Path) -> Path:
    """A stand-in for torch, whose torchrun prints its words and runs the script once; the real one is too large."""
    package = tmp_path / "packages" / "torch" / "distributed"
    package.mkdir(parents=True)
    (package / "run.py").write_text(TORCHRUN)
    return tmp_path / "packages"


def test_the_distribution_torch_distributed_is_started_by_torchrun(endpoint: Endpoint, torch: Path) -> None:
    script = script_mode(endpoint.upload_script("print('trains')"), sagemaker_torch_distributed_enabled="true", lr="1")
    resources = {"InstanceType": "ml.g5.12xlarge", "InstanceCount": 2, "VolumeSizeInGB": 1}
    request = a_request("spread", HyperParameters=script, ResourceConfig=resources)
    endpoint.client.create_training_job(**request, Environment={"PYTHONPATH": str(torch)})
    assert endpoint.wait_for("spread", "Completed", "Failed")["FailureReason"] is None
    first, second = (endpoint.log("spread", host)[0].split() for host in ("algo-1", "algo-2"))
    port = first[first.index("--master_port") + 1]
    assert (
        first
        == (
            f"torchrun --nnodes 2 --nproc_per_node 4 --master_addr 127.0.0.1 --master_port {port} --node_rank 0 "
            "train.py --lr 1"
        ).split()
    )
    assert second == [*first[:10], "1", *first[11:]]
    assert endpoint.log("spread", "algo-2")[1] == "trains"


def test_the_program_may_be_named_by_variables(endpoint: Endpoint) -> None:
    variables = {
        "SAGEMAKER_PROGRAM": "train.py",
        "SAGEMAKER_SUBMIT_DIRECTORY": endpoint.upload_script("import os; print(os.environ['SM_USER_ENTRY_POINT'])"),
    }
    endpoint.client.create_training_job(**a_request("named", Environment=variables))
    assert endpoint.wait_for("named", "Completed", "Failed")["FailureReason"] is None
    assert endpoint.log("named") == ["train.py"]


@pytest.mark.parametrize(
    ("program", "reason"),
    [
        ('"train.py"', "needs torch, which .*python.* does not have: install it there"),
        ('"train.sh"', "runs Python scripts, and train.sh is not one"),
    ],
)
def test_torchrun_is_refused_where_it_cannot_run(endpoint: Endpoint, program: str, reason: str) -> None:
    script = script_mode(endpoint.upload_script("print('trains')"), sagemaker_torch_distributed_enabled="true")
    endpoint.client.create_training_job(**a_request("alone", HyperParameters={**script, "sagemaker_program": program}))
    assert re.match(f"ClientError: the distribution torch_distributed {reason}", reason_of(endpoint, "alone"))


def reason_of(endpoint: Endpoint, name: str) -> str:
    return str(endpoint.wait_for(name, "Completed", "Failed")["FailureReason"])
