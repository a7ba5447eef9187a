"""`sagequeue doctor`: checks everything that a submission needs, and shows how to fix problems.

Open `command.py` first: it runs the checks in order. `permissions.py` has the calls that show a user's permissions.
"""
