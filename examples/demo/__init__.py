"""`make demo`: four real training jobs share two instances of a local AWS account."""

import logging
import os

# On import and on each fit, the SageMaker SDK reports its successor and every default it uses. The demo hides that.
os.environ["SAGEMAKER_SUPPRESS_V2_WARNING"] = "1"
logging.disable(logging.INFO)
