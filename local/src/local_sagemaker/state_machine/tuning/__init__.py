"""Models tuning jobs, which launch ordinary training jobs of the state machine and judge their objective values.

Open `lifecycle` first: it decides when a tuning job launches, stops and ends. `job` is its state, `strategies` choose
hyperparameters from the `search_space`, `results` judge trials, and `early_stopping` stops unpromising trials.
"""
