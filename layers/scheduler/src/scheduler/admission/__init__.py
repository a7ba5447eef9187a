"""Checks jobs against callers' permissions and the rules: at submission, when a priority is raised, and at launch.

Open `admission.py` first. `authorization.py` checks callers. A demand above the whole budget is refused earlier, in
core/requests/request_reading.py.
"""
