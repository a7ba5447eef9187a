"""A program of SDK v3 that tunes and waits, and then reads the best model."""

import os
import sys

from sagemaker.core.resources import TrainingJob
from sagemaker.train import ModelTrainer
from sagemaker.train.configs import Compute, SourceCode
from sagemaker.train.tuner import ContinuousParameter, HyperparameterTuner

from sagequeue import queue_session
from support.deployed.trials import METRIC, PARALLEL, TRIALS

name, source, permits = sys.argv[1:]
session = queue_session(default_bucket=os.environ["SAGEQUEUE_LOCAL_BUCKET"])
trainer = ModelTrainer(
    training_image="000000000000.dkr.ecr.us-east-1.amazonaws.com/any:1",
    source_code=SourceCode(source_dir=source, entry_script="train.py"),
    compute=Compute(instance_type="ml.m5.xlarge", instance_count=1),
    hyperparameters={"permits": permits},
    role=os.environ["SAGEQUEUE_LOCAL_ROLE"],
    sagemaker_session=session,
)
tuner = HyperparameterTuner(
    trainer,
    "accuracy",
    {"rate": ContinuousParameter(0.1, 0.9)},
    metric_definitions=[METRIC],
    strategy="Random",
    max_jobs=TRIALS,
    max_parallel_jobs=PARALLEL,
)
tuner.tune(job_name=name, wait=False)
print("queued:", tuner.describe().hyper_parameter_tuning_job_status)
tuner.wait()
described = tuner.describe()
print("ended:", described.hyper_parameter_tuning_job_name, described.hyper_parameter_tuning_job_status)
best = tuner.best_training_job()
print("best:", best)
print("model:", TrainingJob.get(best, session=session.boto_session).model_artifacts.s3_model_artifacts)
print("trials:", len({trial.training_job_name for trial in tuner.latest_tuning_job.get_all_training_jobs()}))
print("analysed:", len(tuner.analytics().dataframe()))
