"""Permissions of callers: which principals may submit, control and operate, and with which limits.

Open `permissions.py` first. `document.py` reads the operators' document, `pattern.py` matches principals.
"""
