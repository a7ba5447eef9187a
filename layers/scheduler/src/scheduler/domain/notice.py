"""What people are told without asking."""

from attrs import frozen

from scheduler.domain.notice_kind import NoticeKind


@frozen
class Notice:
    kind: NoticeKind
    job: str  # empty: it is about no single job
    owner: str
    state: str
    reason: str  # a sentence
    remedy: str  # what to do
    team: str = ""  # empty: that of the owner
