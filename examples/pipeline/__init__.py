"""A pipeline of SageMaker Pipelines trains a model through the queue, and evaluates it in a second step."""

import logging
import os

# On import and for each request, the SageMaker SDK reports its successor and every default it uses.
os.environ["SAGEMAKER_SUPPRESS_V2_WARNING"] = "1"
logging.disable(logging.INFO)
