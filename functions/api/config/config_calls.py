"""Calls about the whole configuration or one kind of section: show, plan, apply, list versions. Also GET /whoami."""

import re

from api.budget import periods_view
from api.call import Call, page_size_of
from api.config import config_answers
from api.config.config_views import config_view, decision_view, dry_run_view, sections_view, version_view, whoami_view
from scheduler.admission.authorization import refuse_lock_out
from scheduler.config.editor import Change
from scheduler.core.callers.permissions import Callers
from scheduler.core.configuration.kinds import content_of
from scheduler.core.jobs.principal import principal_of
from scheduler.core.sections.schema import ConfigKind, suggestion
from scheduler.errors.config_errors import UnknownVersion, UnreadableConfiguration
from scheduler.errors.refusals import BadRequest, shown
from scheduler.wiring import config, shared

MOST_CHARACTERS = 500  # the longest comment


def get_config(call: Call) -> config_answers.Config:
    shown, number = _shown_kinds(call), _number(call, "version")
    if number is None:
        version, configuration = shared.configuration_reader().in_force()
        if not configuration.is_readable:
            raise UnreadableConfiguration
        return config_view(version, shown)
    found = shared.config_store().get(number)
    if found is None or content_of(found) is None:
        raise UnknownVersion(number)
    return config_view(found, shown)


def list_versions(call: Call) -> config_answers.ConfigVersions:
    kind, size, before = _kind(call), page_size_of(call.query.get("limit")), _number(call, "next")
    versions = shared.config_store().latest(size, before)
    more = bool(versions) and versions[-1].version > 1
    return {
        "versions": [version_view(version) for version in versions if kind is None or kind in version.changed],
        "next": str(versions[-1].version) if more else None,
    }


def plan_config(call: Call) -> config_answers.ConfigPlan:
    change = _change(call)
    shared.authorization().require_config(change.changed, call.caller)
    planned = config.change_plans().plan(change)
    return {
        **dry_run_view(planned.dry_run),
        "version": change.newest,
        "changed": list(change.changed),
        "before": sections_view(change.sections_before, change.changed),
        "after": sections_view(change.sections, change.changed),
        "warnings": list(change.warnings),
        "next_cycle": {
            "before": [decision_view(decision) for decision in planned.before],
            "after": [decision_view(decision) for decision in planned.after],
        },
        "periods": periods_view(config.budget_and_intake().periods_under(change.after)),
        "you": whoami_view(shared.authorization().callers(change.after), call.caller),
    }


def apply_config(call: Call) -> config_answers.Config:
    return _apply(call, _change(call))


def roll_back(call: Call) -> config_answers.Config:
    shared.authorization().require_config([], call.caller)
    number = _number(call, "version")
    if number is None:
        remedy = "Pass the number of an older version, as GET /config/versions lists them."
        raise BadRequest("version is missing: it names the version to apply again", field="version", remedy=remedy)
    return _apply(call, config.editor().rollback(number))


def whoami(call: Call) -> config_answers.WhoAmI:
    return whoami_view(shared.authorization().callers(), call.caller)


def _change(call: Call) -> Change:
    """Returns the change that the body requests. Callers without permission for any section learn nothing from it."""
    kind = _kind(call)
    shared.authorization().require_config([] if kind is None else [kind], call.caller)
    return config.editor().change(call.body, kind)


def _apply(call: Call, change: Change) -> config_answers.Config:
    authorization = shared.authorization()
    # An unreadable version may contain any section, so only callers with permission for all kinds may replace it.
    replaced = tuple(ConfigKind) if change.replaces_unreadable else change.changed
    authorization.require_config(replaced, call.caller)
    refuse_lock_out(call.caller, authorization.callers(change.before), authorization.callers(change.after))
    comment, replaces = call.query.get("comment", ""), _number(call, "replaces")
    if len(comment) > MOST_CHARACTERS or not comment.isprintable():
        remedy = f"Use at most {MOST_CHARACTERS} printable characters, on one line."
        raise BadRequest(f"comment is {shown(comment)} ({len(comment)} characters)", field="comment", remedy=remedy)
    version = config.editor().apply(change, call.caller, replaces, comment)
    return config_view(version, _shown_kinds(call, authorization.callers(change.after)))


def _shown_kinds(call: Call, callers: Callers | None = None) -> set[ConfigKind]:
    """Returns the kind in the path, or all kinds. Leaves out `callers` unless the caller may apply that section."""
    kind, callers = _kind(call), callers or shared.authorization().callers()
    if kind is ConfigKind.CALLERS:
        shared.authorization().require_config([kind], call.caller)
    hidden = set() if callers.may_configure(principal_of(call.caller), ConfigKind.CALLERS) else {ConfigKind.CALLERS}
    return ({*ConfigKind} if kind is None else {kind}) - hidden


def _kind(call: Call) -> ConfigKind | None:
    """Returns the kind in the path, or None for the whole configuration. Raises BadRequest."""
    name = (call.event.get("pathParameters") or {}).get("kind")
    if name is None:
        return None
    if name not in {*ConfigKind}:
        problem = f"{shown(name)} is not a kind of settings{suggestion(name, ConfigKind)}"
        raise BadRequest(problem, field="kind", remedy=f"Use {', '.join(ConfigKind)}.")
    return ConfigKind(name)


def _number(call: Call, parameter: str) -> int | None:
    """Returns the version number in a query parameter. Raises BadRequest."""
    text = call.query.get(parameter)
    if text is None:
        return None
    if not re.fullmatch("[0-9]{1,8}", text):
        remedy = "Pass a number that GET /config/versions lists, or leave it out."
        raise BadRequest(f"{parameter} is {shown(text)}, which is not a version", field=parameter, remedy=remedy)
    return int(text)
