"""Reads the values that the queue needs from a CreateProcessingJob request, and refuses requests that it cannot run."""

from collections.abc import Iterator, Mapping
from typing import Any

from scheduler.core.jobs.demand import Demand, processing_line_of
from scheduler.core.requests.instances import instances_of
from scheduler.core.requests.request_reading import CLUSTER, DEFAULT_MAX_RUNTIME
from scheduler.errors.refusals import Unsupported, bad_field

#: Members of the cluster that would let SageMaker choose the instances.
CHOSEN_BY_SAGEMAKER = ("InstancePreferences", "SelectedInstanceType", "SelectedInstanceCount")


def refuse_unsupported_processing(request: Mapping[str, Any]) -> None:
    """Raises BadRequest for a processing job that SageMaker may accept, but that the queue cannot run."""
    cluster = request["ProcessingResources"]["ClusterConfig"]
    for member in CHOSEN_BY_SAGEMAKER:
        if member in cluster:
            problem = f"The queue does not run processing jobs with {member}"
            remedy = "Set InstanceType and InstanceCount instead."
            raise Unsupported(problem, field=f"{CLUSTER}.{member}", remedy=remedy)
    for member in ("InstanceType", "InstanceCount"):
        if member not in cluster:
            raise bad_field(f"{CLUSTER}.{member}", "is missing", f"Add {member}: the queue counts instances.")
    for index, given in enumerate(request.get("ProcessingInputs", ())):
        if "DatasetDefinition" in given:  # it writes to S3, and may use another role, which no rule would check
            raise Unsupported(
                "The queue does not run processing jobs that query Athena or Redshift",
                field=f"ProcessingInputs[{index}].DatasetDefinition",
                remedy="Export the data to S3, and use S3Input.",
            )


def demand_of(request: Mapping[str, Any]) -> Demand:
    cluster = request["ProcessingResources"]["ClusterConfig"]
    return Demand.of({processing_line_of(cluster["InstanceType"]): cluster["InstanceCount"]})


def held_in(description: Mapping[str, Any]) -> Demand:
    """Returns the instances of any described job, even one that the queue would refuse. May be an upper bound."""
    held = instances_of(description["ProcessingResources"]["ClusterConfig"])
    return Demand.of({processing_line_of(instance_type): count for instance_type, count in held.counts})


def runtime_of(request: Mapping[str, Any]) -> int:
    """Returns the maximum run time in seconds. SageMaker's default is a day, as for training jobs."""
    seconds: int = request.get("StoppingCondition", {}).get("MaxRuntimeInSeconds", DEFAULT_MAX_RUNTIME)
    return seconds


def outputs_of(request: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """Yields the S3 locations that the job writes to, each with the path of its member."""
    for index, output in enumerate(request.get("ProcessingOutputConfig", {}).get("Outputs", ())):
        if "S3Output" in output:
            yield f"ProcessingOutputConfig.Outputs[{index}].S3Output.S3Uri", output["S3Output"]["S3Uri"]
