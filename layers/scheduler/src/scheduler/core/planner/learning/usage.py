"""What a team has used lately: the past counts less the longer it is ago."""

from datetime import datetime

from attrs import frozen


@frozen
class Usage:
    """All that has to be stored of a team's past: one amount and the time that it is true for."""

    instance_seconds: float
    as_of: datetime

    def at(self, now: datetime, half_life: float) -> float:
        return float(self.instance_seconds * 0.5 ** ((now - self.as_of).total_seconds() / half_life))

    def plus(self, instance_seconds: float, now: datetime, half_life: float) -> "Usage":
        return Usage(self.at(now, half_life) + instance_seconds, now)
