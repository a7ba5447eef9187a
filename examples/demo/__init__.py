"""`make demo`: four real training jobs share two instances of a local AWS account."""

import logging
import os

# The SageMaker SDK tells, on import and on each fit, of its successor and of every default it uses. Not our story.
os.environ["SAGEMAKER_SUPPRESS_V2_WARNING"] = "1"
logging.disable(logging.INFO)
