"""Transfers a training job's files from and to S3: inputs and code, checkpoints, and the model.

Open `tree` first: it downloads and uploads directory trees. `inputs` fetches data channels and code, `checkpoints`
synchronises checkpoints while a job trains, and `artifacts` uploads the results.
"""
