"""SageMaker's request rates: per account and region, shared by everyone in it, and not adjustable there."""

from local_sagemaker.errors import throttled

RATES = {  # requests per second
    "CreateTrainingJob": 1.0,
    "StopTrainingJob": 1.0,
    "UpdateTrainingJob": 1.0,
    "DeleteTrainingJob": 1.0,
    "DescribeTrainingJob": 5.0,
    "ListTrainingJobs": 2.0,
}


class Throttle:
    """A token bucket per operation, which holds one second's worth."""

    def __init__(self, factor: float) -> None:
        self._rates = {operation: rate * factor for operation, rate in RATES.items()}
        self._tokens = {operation: max(rate, 1.0) for operation, rate in self._rates.items()}
        self._filled_at = dict.fromkeys(self._rates, 0.0)

    def admit(self, operation: str, now: float) -> None:
        if operation not in self._rates:
            return
        rate = self._rates[operation]
        tokens = min(max(rate, 1.0), self._tokens[operation] + (now - self._filled_at[operation]) * rate)
        self._filled_at[operation] = now
        self._tokens[operation] = tokens
        if tokens < 1:
            raise throttled()
        self._tokens[operation] = tokens - 1
