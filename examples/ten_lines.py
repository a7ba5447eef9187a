"""An ordinary SDK v2 script, except for its session. Run `eval "$(sagequeue local env)"` first."""

from sagemaker.estimator import Estimator
from sagemaker.image_uris import retrieve

from sagequeue import QueueSession

session = QueueSession()
estimator = Estimator(
    retrieve("sklearn", session.boto_region_name, "1.2-1"), "SageMakerLocalRole", 1, "ml.m5.large",
    entry_point="train.py", source_dir="examples/digits", hyperparameters={"epochs": 10},
    tags=[{"Key": "priority", "Value": "5"}], sagemaker_session=session)  # fmt: skip
estimator.fit()
print("the model is in", estimator.model_data)
