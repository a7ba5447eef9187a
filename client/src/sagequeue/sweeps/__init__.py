"""Sweeps that learn: each trial of an Optuna study is a queued job.

Open `sweep.py` first: Sweep asks the study for trials, submits their jobs, and reports their results to the study.
`trial_job.py` follows the job of one trial, `study_file.py` reads the file for `sagequeue sweep`. Optuna is optional.
"""
