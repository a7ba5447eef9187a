"""Builds the service that delivers callbacks."""

import os
from functools import cache

from scheduler.adapters.aws.callback_receivers import (
    AwsCallbackReceivers,
    PipelineSteps,
    SqsDeadLetters,
    StepFunctionsTasks,
    WebhookMessages,
)
from scheduler.adapters.aws.eventbridge import EventBridge
from scheduler.cycle.callbacks import CallbackDelivery
from scheduler.wiring import shared


@cache
def delivery() -> CallbackDelivery:
    # The next run repeats what fails, so no call has to wait long.
    sqs = shared.client("sqs", config=shared.BRIEF)
    receivers = AwsCallbackReceivers(
        StepFunctionsTasks(shared.client("stepfunctions", config=shared.BRIEF)),
        PipelineSteps(shared.client("sagemaker", config=shared.BRIEF)),
        lambda bus: EventBridge(shared.client("events", config=shared.BRIEF), bus),
        WebhookMessages(sqs, os.environ["WEBHOOK_QUEUE"]),
        shared.settings().name_mark,
    )
    letters = SqsDeadLetters(sqs, os.environ["DEAD_LETTERS"])
    return CallbackDelivery(shared.job_stores().callbacks, receivers, letters, shared.clock())
