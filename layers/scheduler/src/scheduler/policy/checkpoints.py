"""Two live attempts on one checkpoint prefix would overwrite each other (aws-facts 2.46)."""


def prefixes_clash(one: str | None, other: str | None) -> bool:
    """Whether one of two S3 prefixes contains the other, by whole path segments."""
    if one is None or other is None:
        return False
    shorter, longer = sorted((_segments(one), _segments(other)), key=len)
    return longer[: len(shorter)] == shorter


def _segments(uri: str) -> list[str]:
    return uri.rstrip("/").split("/")
