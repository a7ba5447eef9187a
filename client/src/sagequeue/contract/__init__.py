"""The JSON that the queue's REST API speaks (docs/reference/rest.md), as types.

The names are those of docs/openapi.json. The client passes these values on unchanged: `--json` prints the API's answer.
Open `jobs.py` first: most answers contain a job. `config.py` has the configuration and its plans.
"""
