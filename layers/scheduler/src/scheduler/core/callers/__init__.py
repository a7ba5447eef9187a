"""Defines which principals may submit jobs, control jobs and operate the queue, and within which limits.

Open `permissions.py` first. `schema.py` reads the section `callers`, `pattern.py` matches principals, and
`hosted_page.py` recognises people who sign in at the hosted page. `names.py` names them.
"""
