"""Permissions of callers to submit, control and operate, with their limits. Open `permissions.py` first."""
