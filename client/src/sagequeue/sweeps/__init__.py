"""Sweeps that learn: the trials of an Optuna study are jobs of the queue.

Open `sweep.py` first: Sweep asks the study for trials, submits their jobs, and reports their results to the study.
`trial_job.py` follows the job of one trial, `study_file.py` reads the file of `sagequeue sweep`. Optuna is optional.
"""
