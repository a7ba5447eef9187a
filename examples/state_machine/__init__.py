"""A state machine of Step Functions trains three models through the queue, and picks the best."""

import logging
import os

# On import and for each request, the SageMaker SDK reports its successor and every default it uses.
os.environ["SAGEMAKER_SUPPRESS_V2_WARNING"] = "1"
logging.disable(logging.INFO)
