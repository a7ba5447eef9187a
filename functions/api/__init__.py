"""The REST API's function, which answers every call of docs/api.md.

`handler.py` turns an API Gateway event into a call and errors into answers; `routes.py` names the function that answers
each route. The other folders hold these functions by noun: `jobs/`, `queue/`, `history/` and the operators' `documents/`.
Open `routes.py` first.
"""
