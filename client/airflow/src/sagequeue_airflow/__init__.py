"""Airflow's provider for SageQueue: tasks that train through the queue, or wait for queued jobs.

Open `operators.py` first. `triggers.py` waits for deferred tasks, `sensors.py` waits for jobs that other people
submitted, and `hooks.py` calls the queue.
"""

from typing import Any

from sagequeue_airflow.hooks import CONNECTION_TYPE


def get_provider_info() -> dict[str, Any]:
    """Describes the provider to Airflow, which finds this function through its entry point."""
    hook = {"hook-class-name": "sagequeue_airflow.hooks.SageQueueHook", "connection-type": CONNECTION_TYPE}
    return {
        "package-name": "airflow-provider-sagequeue",
        "name": "SageQueue",
        "description": "Runs SageMaker training jobs through a SageQueue priority queue.",
        "connection-types": [hook],
    }
