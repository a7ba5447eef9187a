"""Who asks, and where: what API Gateway and Lambda say of a call."""

from aws_lambda_powertools.event_handler.router import APIGatewayRouter


def caller(router: APIGatewayRouter) -> str:
    """The caller's ARN, as API Gateway verified it."""
    return router.current_event.request_context.identity.user_arn or "unknown"


def arn_prefix(router: APIGatewayRouter) -> str:
    """What the ARN of a training job begins with, in this account and region."""
    _, partition, _, region, account, *_ = router.lambda_context.invoked_function_arn.split(":")
    return f"arn:{partition}:sagemaker:{region}:{account}:training-job/"
