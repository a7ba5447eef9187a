class WorkFailed(Exception):
    """Something the job needs is missing or cannot be done here; the text becomes the job's failure reason."""
