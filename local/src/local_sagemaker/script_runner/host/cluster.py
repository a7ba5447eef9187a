"""Names a job's hosts algo-1 to algo-n, as SageMaker does."""

from dataclasses import dataclass
from typing import Any

from local_sagemaker.errors import JobError
from local_sagemaker.state_machine.capacity import demand, instance_groups

_MAX_HOSTS = 64
_SINGLE_GROUP = "homogeneousCluster"


@dataclass(frozen=True, slots=True)
class Node:
    name: str
    instance_type: str
    group: str


def nodes(request: dict[str, Any]) -> list[Node]:
    if demand(request).total() > _MAX_HOSTS:
        raise JobError(f"local_sagemaker runs jobs of up to {_MAX_HOSTS} hosts, each a process on this machine")
    found: list[Node] = []
    for group in instance_groups(request):
        for _ in range(group["InstanceCount"]):
            name = f"algo-{len(found) + 1}"
            found.append(Node(name, group["InstanceType"], group.get("InstanceGroupName", _SINGLE_GROUP)))
    return found


def resource_config(current: Node, cluster: list[Node]) -> dict[str, Any]:
    """Returns the content of the container's resourceconfig.json."""
    return {
        "current_host": current.name,
        "current_instance_type": current.instance_type,
        "current_group_name": current.group,
        "hosts": [node.name for node in cluster],
        "instance_groups": [_group(name, cluster) for name in dict.fromkeys(node.group for node in cluster)],
        "network_interface_name": "eth0",
    }


def _group(name: str, cluster: list[Node]) -> dict[str, Any]:
    members = [node for node in cluster if node.group == name]
    return {
        "instance_group_name": name,
        "instance_type": members[0].instance_type,
        "hosts": [node.name for node in members],
    }
