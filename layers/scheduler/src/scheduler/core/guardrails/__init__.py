"""Guardrails: the operators' rules for jobs, checked at submission, at launch and for unmanaged training jobs.

Open `rules.py` first: it checks a job against a set of rules. Each kind of rule is a class in `kinds/`. `schema.py`
reads the section `rules`, and `consistency.py` refuses rules that contradict each other or are slow.
"""
