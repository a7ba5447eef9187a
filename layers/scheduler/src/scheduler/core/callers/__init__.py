"""Defines which principals may submit jobs, control jobs and operate the queue, and within which limits.

Open `permissions.py` first. `schema.py` reads the section `callers`, and `pattern.py` matches principals.
"""
