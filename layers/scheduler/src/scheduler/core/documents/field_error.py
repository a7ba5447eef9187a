"""The error that a value of a document raises when one of its fields is wrong."""


def field_error(path: str, problem: str) -> ValueError:
    """Returns the error to raise; document_reading reports it with its line. `path` is the field."""
    return ValueError(path, problem)
