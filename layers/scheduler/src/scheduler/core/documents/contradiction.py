"""What cannot be right in itself, as the rules document tells it."""


def contradiction(path: str, problem: str) -> ValueError:
    """Parameters that nothing could meet; `path` is the parameter."""
    return ValueError(path, problem)
