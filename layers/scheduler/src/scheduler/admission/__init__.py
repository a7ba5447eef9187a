"""Checks jobs against callers' permissions and the rules: at submission, when a priority is raised, and at launch.

Open `admission.py` first; `launch_check.py` also makes plans without refused jobs. A demand that exceeds the whole
budget does not get this far: `core/requests/request_reading.py` refuses it.
"""
