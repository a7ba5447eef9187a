"""Submits jobs to the stores of a contract test."""

from scheduler.core.jobs.job import Job
from support.dynamodb.stores import Stores

REQUEST = {"TrainingJobName": "resnet", "HyperParameters": {"größe": "0.1"}, "StoppingCondition": {"Max": 3600}}


def submit(stores: Stores, *submitted: Job) -> None:
    for job in submitted:
        stores.jobs.submit(job, REQUEST)
