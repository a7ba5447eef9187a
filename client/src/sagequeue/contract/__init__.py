"""Defines types for the JSON of the queue's REST API (docs/reference/rest.md).

The names are those in docs/openapi.json. The client passes these values on unchanged: `--json` prints the API's answer.
Open `jobs.py` first: most answers contain a job. `config.py` has the configuration and its plans.
"""
