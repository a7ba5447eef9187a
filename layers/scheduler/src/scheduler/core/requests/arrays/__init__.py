"""Makes many jobs from one request and sets of parameters: the children of an array.

Open `job_array.py` for the record and the rule by which children are created, `parameters.py` and `placeholders.py` for
the notation, and `children.py` for the job and the request of one child.
"""
