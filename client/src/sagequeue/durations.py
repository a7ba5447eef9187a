"""Times as people read them: local, and as long as it takes."""

from datetime import datetime, timedelta


def local_time(time: str) -> str:
    return datetime.fromisoformat(time).astimezone().strftime("%Y-%m-%d %H:%M:%S")


def since(time: str, now: datetime) -> str:
    return short(now - datetime.fromisoformat(time))


def short(span: timedelta) -> str:
    """The largest units that count: "3d 4h", "12m 5s"."""
    span = max(timedelta(), span)
    counts = {"d": span.days, "h": span.seconds // 3600, "m": span.seconds // 60 % 60, "s": span.seconds % 60}
    return " ".join([f"{count}{unit}" for unit, count in counts.items() if count][:2]) or "0s"


def rough(span: timedelta) -> str:
    """One unit, for what is only estimated: "3 d", "2 h", "40 min", "1 min"."""
    minutes = max(1, round(span.total_seconds() / 60))
    if minutes < 90:
        return f"{minutes} min"
    hours = round(minutes / 60)
    return f"{hours} h" if hours < 48 else f"{round(hours / 24)} d"
