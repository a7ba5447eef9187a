"""Implements the model of docs/contribute/protocol.tla in Python, and searches all its states.

A crash of a cycle needs no action: between two actions anything may happen, and no action uses the memory of a
process.
"""

from collections import deque
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace

JOBS = ("a", "b", "c")
BUDGET = 2


@dataclass(frozen=True, slots=True)
class State:
    """A state of the model, as in the TLA+ text. `truth` and `state` are in the order of JOBS."""

    state: tuple[str, ...] = ("pending",) * len(JOBS)
    truth: tuple[str, ...] = ("none",) * len(JOBS)
    reserved: frozenset[int] = frozenset()
    flying: frozenset[int] = frozenset()
    recent: frozenset[int] = frozenset()
    cancelled: frozenset[int] = frozenset()
    asked: frozenset[int] = frozenset()
    over: frozenset[int] = frozenset()
    stopped: frozenset[int] = frozenset()


Action = Callable[[State, int], State | None]


def reserve(s: State, j: int) -> State | None:
    if s.state[j] != "pending" or len(s.reserved) >= BUDGET:
        return None
    return replace(s, state=_set(s.state, j, "launching"), reserved=s.reserved | {j}, recent=s.recent | {j})


def send(s: State, j: int) -> State | None:
    if j not in s.reserved or s.state[j] not in {"launching", "stopping"} or s.truth[j] != "none":
        return None
    return replace(s, flying=s.flying | {j}, recent=s.recent | {j})


def takes_effect(s: State, j: int) -> State | None:
    if j not in s.flying:
        return None
    truth = _set(s.truth, j, "live") if s.truth[j] == "none" else s.truth
    return replace(s, flying=s.flying - {j}, truth=truth)


def is_lost(s: State, j: int) -> State | None:
    return replace(s, flying=s.flying - {j}) if j in s.flying else None


def time_passes(s: State, j: int) -> State | None:
    return replace(s, recent=s.recent - {j}) if j in s.recent - s.flying else None


def confirm(s: State, j: int) -> State | None:
    if s.state[j] != "launching" or s.truth[j] == "none":
        return None
    return replace(s, state=_set(s.state, j, "running"))


def refused(s: State, j: int) -> State | None:
    if j in s.recent:
        return None
    return refused_at_once(s, j)


def cancel(s: State, j: int) -> State | None:
    if s.state[j] == "done" or j in s.cancelled:
        return None
    then = "stopping" if j in s.reserved else "done"
    return replace(s, state=_set(s.state, j, then), cancelled=s.cancelled | {j})


def ask_to_save(s: State, j: int) -> State | None:
    if s.state[j] != "stopping" or s.truth[j] != "live" or j in s.stopped:
        return None
    return replace(s, asked=s.asked | {j})


def notice_ends(s: State, j: int) -> State | None:
    return replace(s, over=s.over | {j}) if j in s.asked else None


def stop(s: State, j: int) -> State | None:
    return stop_at_once(s, j) if j not in s.asked - s.over else None


def ends(s: State, j: int) -> State | None:
    return replace(s, truth=_set(s.truth, j, "ended")) if s.truth[j] == "live" else None


def settle(s: State, j: int) -> State | None:
    if j not in s.reserved or s.truth[j] != "ended" or s.state[j] not in {"running", "stopping"}:
        return None
    return _released(s, j)


PROTOCOL: Mapping[str, Action] = {
    action.__name__: action
    for action in (
        reserve,
        send,
        takes_effect,
        is_lost,
        time_passes,
        confirm,
        refused,
        cancel,
        ask_to_save,
        notice_ends,
        stop,
        ends,
        settle,
    )
}


# ------------------------------------------------------------------ defects


def refused_at_once(s: State, j: int) -> State | None:
    """Defect: releases although an earlier Create may still take effect."""
    if j not in s.reserved or s.state[j] not in {"launching", "stopping"} or s.truth[j] != "none":
        return None
    return _released(s, j)


def send_unnoted(s: State, j: int) -> State | None:
    """Defect: counts patience from the reservation, however late a Create is sent."""
    following = send(s, j)
    return replace(following, recent=s.recent) if following else None


def settle_at_stopping(s: State, j: int) -> State | None:
    return _released(s, j) if j in s.reserved and s.state[j] == "stopping" else None


def reserve_without_condition(s: State, j: int) -> State | None:
    if s.state[j] != "pending":
        return None
    return replace(s, state=_set(s.state, j, "launching"), reserved=s.reserved | {j})


def confirm_over_a_cancel(s: State, j: int) -> State | None:
    if s.state[j] not in {"launching", "stopping"} or s.truth[j] == "none":
        return None
    return replace(s, state=_set(s.state, j, "running"))


def send_without_reservation(s: State, j: int) -> State | None:
    return replace(s, flying=s.flying | {j}) if s.state[j] == "pending" and s.truth[j] == "none" else None


def stop_at_once(s: State, j: int) -> State | None:
    """Defect: does not wait for the end of the notice."""
    if s.state[j] != "stopping" or s.truth[j] != "live":
        return None
    return replace(s, stopped=s.stopped | {j})


def stop_what_runs(s: State, j: int) -> State | None:
    """Defect: takes a report of the program for a decision."""
    return replace(s, stopped=s.stopped | {j}) if s.truth[j] == "live" else None


#: The action that each defect replaces.
DEFECTS: Mapping[str, tuple[str, Action]] = {
    "release while a Create may be under way": ("refused", refused_at_once),
    "count patience from the reservation": ("send", send_unnoted),
    "release at Stopping": ("settle", settle_at_stopping),
    "reserve without a condition": ("reserve", reserve_without_condition),
    "confirm over a cancel": ("confirm", confirm_over_a_cancel),
    "create before the reservation": ("send", send_without_reservation),
    "stop within the notice": ("stop", stop_at_once),
    "stop what nobody decided to stop": ("stop", stop_what_runs),
}


# ------------------------------------------------------------------- search


def violation(s: State) -> str | None:
    live = {j for j, truth in enumerate(s.truth) if truth == "live"}
    done = {j for j, state in enumerate(s.state) if state == "done"}
    if len(live) > BUDGET or len(s.reserved) > BUDGET:
        return "WithinBudget"
    if not live <= s.reserved:
        return "NoOrphan"
    if done & (live | s.flying):
        return "DoneIsOver"
    if any(s.state[j] not in {"stopping", "done"} for j in s.cancelled):
        return "CancelWins"
    if s.stopped & s.asked - s.over:
        return "NoticeFirst"
    if any(s.state[j] != "stopping" for j in s.stopped):
        return "StopIsDecided"
    return None


@dataclass(frozen=True, slots=True)
class Search:
    states: int
    violation: str | None = None
    path: tuple[str, ...] = ()  # the shortest path to the violation
    stuck: tuple[State, ...] = ()  # states whose jobs can never end


def search(actions: Mapping[str, Action]) -> Search:
    """Searches all reachable states, breadth first. Ends at the first that violates an invariant."""
    came_from: dict[State, tuple[State, str] | None] = {State(): None}
    waiting = deque([State()])
    before: dict[State, list[State]] = {}
    while waiting:
        state = waiting.popleft()
        if broken := violation(state):
            return Search(len(came_from), broken, _path(came_from, state))
        for name, following in _steps(actions, state):
            before.setdefault(following, []).append(state)
            if following not in came_from:
                came_from[following] = (state, name)
                waiting.append(following)
    good = _all_that_lead_to([s for s in came_from if set(s.state) == {"done"}], before)
    return Search(len(came_from), stuck=tuple(came_from.keys() - good))


def _steps(actions: Mapping[str, Action], state: State) -> Iterator[tuple[str, State]]:
    for name, action in actions.items():
        for j, job in enumerate(JOBS):
            following = action(state, j)
            if following is not None and following != state:
                yield f"{name}({job})", following


def _all_that_lead_to(ends: list[State], before: Mapping[State, list[State]]) -> set[State]:
    found, waiting = set(ends), deque(ends)
    while waiting:
        for state in before.get(waiting.popleft(), []):
            if state not in found:
                found.add(state)
                waiting.append(state)
    return found


def _path(came_from: Mapping[State, tuple[State, str] | None], state: State) -> tuple[str, ...]:
    path: list[str] = []
    while (step := came_from[state]) is not None:
        state, name = step
        path.append(name)
    return tuple(reversed(path))


def _released(s: State, j: int) -> State:
    return replace(
        s,
        state=_set(s.state, j, "done"),
        reserved=s.reserved - {j},
        recent=s.recent - {j},
        asked=s.asked - {j},
        over=s.over - {j},
        stopped=s.stopped - {j},
    )


def _set(values: tuple[str, ...], j: int, value: str) -> tuple[str, ...]:
    return (*values[:j], value, *values[j + 1 :])
