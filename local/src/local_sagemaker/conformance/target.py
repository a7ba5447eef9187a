"""The target of a replay: an account, a region, and the role, bucket and image of its jobs."""

import re
from dataclasses import dataclass
from typing import Any

from local_sagemaker.conformance.requests import ARN, IMAGE, NAME, OUTPUT, ROLE


@dataclass(frozen=True, slots=True)
class Target:
    region: str
    role: str
    bucket: str
    image: str
    run: str  # distinguishes the names of this run from those of other runs

    @property
    def prefix(self) -> str:
        """The beginning of every name of this run, also in the bucket."""
        return f"conformance-{self.run}"

    def job_name(self, role: str) -> str:
        return f"{self.prefix}-{role}"

    def arn(self, name: str) -> str:
        partition, account = self.role.split(":")[1], self.role.split(":")[4]
        return f"arn:{partition}:sagemaker:{self.region}:{account}:training-job/{name}"

    def substituted(self, value: Any, name: str) -> Any:
        """Replaces the made-up job and account of the table with the job `name` of this target."""
        if isinstance(value, dict):
            return {key: self.substituted(member, name) for key, member in value.items()}
        if isinstance(value, (list, tuple)):
            return type(value)(self.substituted(item, name) for item in value)
        return self._replaced(value, name) if isinstance(value, str) else value

    def _replaced(self, text: str, name: str) -> str:
        real = {
            ARN: self.arn(name),  # before the name, which it contains
            ROLE: self.role,
            OUTPUT: f"s3://{self.bucket}/{self.prefix}",
            IMAGE: self.image,
            NAME: name,
        }
        return re.sub("|".join(map(re.escape, real)), lambda found: real[found[0]], text)
