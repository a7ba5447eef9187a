"""`sagequeue whatif --deep`: checks with the caller's permissions that everything a job needs exists in AWS.

Open `checks.py` first: it runs the checks in order. `members.py` finds the members of a request to check.
"""
