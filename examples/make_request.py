"""Prints a CreateTrainingJob request for your account. It asks for each value that is not an option.

python examples/make_request.py > request.json
python examples/make_request.py --name urgent --role arn:… --image … --bucket … --command "echo trained"
"""

import argparse
import json
import sys
from datetime import datetime
from typing import Any

QUESTIONS = {
    "role": "ARN of the execution role, as in arn:aws:iam::123456789012:role/queue/Training",
    "image": "training image in Amazon ECR, as in 123456789012.dkr.ecr.eu-west-1.amazonaws.com/train:1",
    "bucket": "bucket for results, without s3://",
}


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    for name, question in QUESTIONS.items():
        parser.add_argument(f"--{name}", help=question)
    parser.add_argument(
        "--name",
        help="name of the job (default: first-job and the time)",
        default=f"first-job-{datetime.now().astimezone():%Y-%m-%d-%H-%M-%S}",
    )
    parser.add_argument(
        "--command", default="echo trained", help="what the container runs, in its shell (default: echo trained)"
    )
    parser.add_argument(
        "--instance-type",
        default="ml.m5.large",
        help="instance type (default: ml.m5.large); `sagequeue budget` lists the types of the queue",
    )
    given = parser.parse_args()
    for name, question in QUESTIONS.items():
        if getattr(given, name) is None:
            setattr(given, name, answer_to(question))
    print(json.dumps(request(given), indent=2))


def answer_to(question: str) -> str:
    print(f"{question}: ", end="", file=sys.stderr, flush=True)  # standard output is the request
    return input().strip()


def request(given: argparse.Namespace) -> dict[str, Any]:
    return {
        "TrainingJobName": given.name,
        "RoleArn": given.role,
        "AlgorithmSpecification": {
            "TrainingImage": given.image,
            "TrainingInputMode": "File",
            "ContainerEntrypoint": ["/bin/sh", "-c", given.command],
        },
        "OutputDataConfig": {"S3OutputPath": f"s3://{given.bucket}/output"},
        "ResourceConfig": {"InstanceType": given.instance_type, "InstanceCount": 1, "VolumeSizeInGB": 10},
        "StoppingCondition": {"MaxRuntimeInSeconds": 3600},
    }


if __name__ == "__main__":
    main()
