"""What a training job holds, by SageMaker's own truth."""

from collections import Counter

from local_sagemaker.state_machine.demand import preferences
from local_sagemaker.state_machine.job import TrainingJob
from simulation.lines import lines


def held_by(job: TrainingJob) -> Counter[str]:
    """Of preferences all, until one is selected: it may be any of them."""
    unselected = preferences(job.placed)
    return Counter({one["InstanceType"]: one["InstanceCount"] for one in unselected}) or lines(job.placed)
