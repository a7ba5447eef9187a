"""Permissions of callers: which principals may submit, control and operate, and with which limits.

Open `permissions.py` first. `schema.py` reads the section `callers`, `pattern.py` matches principals.
"""
