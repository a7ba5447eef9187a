"""Where the table is replayed: an account, a region, and what a cheap job there needs."""

import re
from dataclasses import dataclass
from typing import Any

from local_sagemaker.conformance.requests import ARN, IMAGE, NAME, OUTPUT, ROLE


@dataclass(frozen=True, slots=True)
class Place:
    region: str
    role: str
    bucket: str
    image: str
    run: str  # sets the names of this run apart from those of any other

    @property
    def prefix(self) -> str:
        """What every name of this run begins with, also in the bucket."""
        return f"conformance-{self.run}"

    def job_name(self, course: str) -> str:
        return f"{self.prefix}-{course}"

    def arn(self, name: str) -> str:
        partition, account = self.role.split(":")[1], self.role.split(":")[4]
        return f"arn:{partition}:sagemaker:{self.region}:{account}:training-job/{name}"

    def localised(self, said: Any, name: str) -> Any:
        """What the table says of its made-up job, said of the job `name` in this place."""
        if isinstance(said, dict):
            return {key: self.localised(value, name) for key, value in said.items()}
        if isinstance(said, (list, tuple)):
            return type(said)(self.localised(item, name) for item in said)
        return self._replaced(said, name) if isinstance(said, str) else said

    def _replaced(self, text: str, name: str) -> str:
        real = {
            ARN: self.arn(name),  # before the name, which is in it
            ROLE: self.role,
            OUTPUT: f"s3://{self.bucket}/{self.prefix}",
            IMAGE: self.image,
            NAME: name,
        }
        return re.sub("|".join(map(re.escape, real)), lambda found: real[found[0]], text)
