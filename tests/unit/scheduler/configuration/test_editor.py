"""A file is applied as a whole, and what it leaves out stays; a rollback applies an older version again."""

import json
from dataclasses import replace

import pytest

from scheduler.core.configuration.configuration import NOTHING_APPLIED, ConfigVersion
from scheduler.core.configuration.kinds import SCHEMAS
from scheduler.core.sections.schema import ConfigKind
from scheduler.errors.config_errors import BadConfig, StaleVersion, UnknownVersion
from support.builders.configurations import a_reader, a_stack, a_version, every_section
from support.memory.clock import FixedClock
from support.memory.config_store import MemoryConfigStore
from unit.scheduler.configuration.editing import FILE, a_store, apply, editor, problems

UNREADABLE = ConfigVersion(version=2, sections="")


def test_a_file_is_applied_with_its_author_time_and_comment() -> None:
    store = MemoryConfigStore()
    applied = apply(store, FILE, comment="more patience")
    assert store.versions == {1: applied}
    assert (applied.version, applied.author, applied.comment) == (1, "ada", "more patience")
    assert (applied.applied_at, applied.changed) == (FixedClock().moment, ("pools", "policy"))
    assert json.loads(applied.sections) == {
        "policy": {"patience": "10m"},
        "pools": [{"instance_type": "ml.m5.large", "use": "reuse"}],
    }


def test_a_kind_that_a_file_leaves_out_stays_as_it_is() -> None:
    store = MemoryConfigStore()
    apply(store, FILE)
    applied = apply(store, "policy: {ordering: shortest}")
    assert applied.changed == ("policy",)
    assert json.loads(applied.sections) == {
        "policy": {"ordering": "shortest"},
        "pools": [{"instance_type": "ml.m5.large", "use": "reuse"}],
    }


def test_the_text_of_one_section_changes_that_section_only() -> None:
    store = MemoryConfigStore()
    apply(store, FILE)
    change = editor(store).change("ordering: shortest", ConfigKind.POLICY)
    assert (change.changed, sorted(change.sections)) == ((ConfigKind.POLICY,), ["policy", "pools"])


def test_a_section_without_members_has_its_defaults_again() -> None:
    store = MemoryConfigStore()
    apply(store, FILE)
    edited = editor(store)
    change = edited.change("policy: {}\npools: []")
    assert change.changed == (ConfigKind.POOLS, ConfigKind.POLICY)
    edited.apply(change, "ada")
    assert edited.reader.current() == a_reader().current()


def test_defaults_over_defaults_change_nothing() -> None:
    assert editor(MemoryConfigStore()).change("policy: {}\npools: []\ncalendar: {}").changed == ()


def test_a_file_that_changes_nothing_makes_no_version_so_that_a_lost_answer_costs_nothing() -> None:
    store = MemoryConfigStore()
    applied = apply(store, FILE, replaces=0)
    assert apply(store, FILE, replaces=0) == applied
    assert store.versions == {1: applied}


def test_a_file_for_another_version_than_the_one_in_force_is_refused() -> None:
    store = MemoryConfigStore()
    apply(store, FILE)
    with pytest.raises(StaleVersion, match="The current version of the configuration is 1, not 0") as refused:
        apply(store, "policy: {patience: 1m}", author="bob", replaces=0)
    assert (refused.value.status, refused.value.code, [*store.versions]) == (409, "stale_config", [1])
    assert apply(store, "policy: {patience: 1m}", author="bob", replaces=1).version == 2


def test_a_section_is_checked_against_the_other_sections_of_its_file_and_those_in_force() -> None:
    limits = "spending: {limits: [{name: v, team: vision, gpu_hours: 5}]}"
    shares = "shares: {vision: {members: ['*/vision*/*']}}"
    assert problems(limits)[0][1] == "spending.limits[0].team"
    store = MemoryConfigStore()
    apply(store, f"{limits}\n{shares}")
    assert problems("shares: {}", store)[0][:2] == (None, "spending.limits[0].team")
    assert apply(store, f"shares: {{}}\n{limits.replace('team: vision', 'owner: role/Vision')}").version == 2


WINDOW = {"name": "night", "weekly": ["mon 20:00 - tue 07:00"], "budget": {"ml.g5.xlarge": 4}}


def test_a_section_that_a_smaller_stack_made_wrong_blocks_no_other_change() -> None:
    store = a_store(a_version(calendar={"windows": [WINDOW]}, policy={}))
    smaller = a_stack("ml.m5.large=1")
    change = editor(store, smaller).change("policy: {patience: 1m}")
    assert change.changed == (ConfigKind.POLICY,)
    text = json.dumps({"calendar": {"windows": [{**WINDOW, "excess": "stop"}]}})
    assert problems(text, store, smaller)[0][:2] == (1, "calendar.windows[0].budget")


def test_a_rollback_is_blocked_only_by_what_is_wrong_with_the_sections_that_it_changes() -> None:
    wrong = {"windows": [WINDOW]}
    store = a_store(a_version(calendar=wrong), a_version(2, calendar=wrong, policy={"patience": "1m"}))
    edited = editor(store, a_stack("ml.m5.large=1"))
    assert edited.rollback(1).changed == (ConfigKind.POLICY,)
    store.versions[3] = a_version(3)
    with pytest.raises(BadConfig, match=r"ml\.g5\.xlarge is not in the stack's InstanceBudget"):
        edited.rollback(1)


def test_a_rollback_applies_the_sections_of_an_older_version_as_a_new_one() -> None:
    store = MemoryConfigStore()
    first = apply(store, "policy: {patience: 10m}")
    apply(store, "policy: {patience: 1m}\nidle_gpus: {action: off}")
    edited = editor(store)
    change = edited.rollback(1)
    assert change.changed == (ConfigKind.POLICY, ConfigKind.IDLE_GPUS)
    third = edited.apply(change, "bob", replaces=2, comment="calm down")
    assert (third.version, third.sections, third.author) == (3, first.sections, "bob")
    assert edited.apply(edited.rollback(1), "bob", replaces=2) == third
    with pytest.raises(StaleVersion):
        edited.apply(edited.rollback(2), "ada", replaces=2)


@pytest.mark.parametrize("sections", [None, "", "{", "[]", "7", "[" * 100_000])
def test_a_version_that_is_gone_or_unreadable_is_no_aim_of_a_rollback(sections: str | None) -> None:
    store = a_store(a_version(2))
    if sections is not None:
        store.versions[1] = ConfigVersion(version=1, sections=sections)
    with pytest.raises(
        UnknownVersion, match="Version 1 of the configuration does not exist or cannot be read"
    ) as refused:
        editor(store).rollback(1)
    assert (refused.value.status, refused.value.code) == (404, "unknown_version")


def test_a_version_with_values_that_are_refused_now_is_no_aim_of_a_rollback() -> None:
    store = a_store(a_version(policy={"patience": 300}), a_version(2))
    with pytest.raises(BadConfig, match=r"policy\.patience must be a duration"):
        editor(store).rollback(1)


def test_over_an_unreadable_version_the_older_one_is_changed_and_becomes_the_newest() -> None:
    store = a_store(a_version(1, policy={"patience": "10m"}), UNREADABLE)
    change = editor(store).change("idle_gpus: {action: off}")
    assert (change.newest, change.in_force.version, change.changed) == (2, 1, (ConfigKind.IDLE_GPUS,))
    applied = editor(store).apply(change, "ada", replaces=2)
    assert (applied.version, json.loads(applied.sections)["policy"]) == (3, {"patience": "10m"})
    assert store.versions[2] == UNREADABLE


def test_applying_what_is_in_force_again_replaces_an_unreadable_version() -> None:
    store = a_store(a_version(1, policy={"patience": "10m"}), UNREADABLE)
    edited = editor(store)
    applied = apply(store, "policy: {patience: 10m}")
    assert (applied.version, applied.changed, edited.reader.in_force()[0]) == (3, (), applied)
    assert apply(store, "policy: {patience: 10m}") == applied


def test_if_no_version_can_be_read_a_file_with_every_section_is_applied() -> None:
    store = a_store(replace(UNREADABLE, version=1), UNREADABLE)
    sections = every_section(policy={"patience": "10m"})
    applied = apply(store, json.dumps(sections))
    assert (applied.version, json.loads(applied.sections)) == (3, sections)
    assert editor(store).reader.current().is_readable


def test_if_no_version_can_be_read_a_file_without_every_section_is_refused_with_the_missing_ones() -> None:
    store = a_store(UNREADABLE)
    sections = every_section()
    del sections["callers"], sections["spending"]
    ((line, field, message),) = problems(json.dumps(sections), store)
    assert (line, field) == (None, "")
    assert message.endswith("write all of them. Missing: callers, spending")
    assert len(problems("policy: {}", store)) == 1


def test_if_no_version_can_be_read_the_text_of_one_section_is_refused() -> None:
    with pytest.raises(BadConfig, match="Missing: rules, callers, "):
        editor(a_store(UNREADABLE)).change("patience: 10m", ConfigKind.POLICY)


def test_a_stack_without_any_version_has_the_defaults_in_force() -> None:
    version, configuration = editor(MemoryConfigStore()).reader.in_force()
    assert (version, configuration.is_readable) == (NOTHING_APPLIED, True)


def test_to_write_out_defaults_changes_nothing() -> None:
    store = MemoryConfigStore()
    apply(store, FILE)
    policy, rules = SCHEMAS[ConfigKind.POLICY], SCHEMAS[ConfigKind.RULES]
    written_out = {"policy": policy.with_defaults({"patience": "10m"}), "rules": rules.full_default}
    assert len(written_out["policy"]) > 1
    assert editor(store).change(json.dumps(written_out)).changed == ()
    other = {**written_out, "policy": policy.full_default}
    assert editor(store).change(json.dumps(other)).changed == (ConfigKind.POLICY,)


@pytest.mark.parametrize(
    ("short", "written_out", "changed"),
    [
        ("rules: {failing: {launching: open}}", "rules: {failing: {launching: open, stopping: open}}", False),
        ("rules: {failing: {launching: open}}", "rules: {failing: {launching: open, stopping: closed}}", True),
        ("shares: {v: {members: ['*/v/*']}}", "shares: {v: {members: ['*/v/*'], weight: 1, quota: {}}}", False),
        ("shares: {v: {members: ['*/v/*']}}", "shares: {v: {members: ['*/v/*'], weight: 2}}", True),
        (
            "spending: {limits: [{name: a, owner: '*', gpu_hours: 5}]}",
            "spending: {limits: [{name: a, owner: '*', team: null, gpu_hours: 5, warn_at: 0.8, then: hold}]}",
            False,
        ),
        (
            "retries: {treatments: {capacity: {retries: 2}}}",
            "retries: {treatments: {capacity: {retries: 2, delay: 1m}}}",
            False,
        ),
    ],
)
def test_to_write_out_a_default_below_the_top_of_a_section_changes_nothing_either(
    short: str, written_out: str, changed: bool
) -> None:
    for first, second in ((short, written_out), (written_out, short)):
        store = MemoryConfigStore()
        apply(store, first)
        assert bool(editor(store).change(second).changed) is changed
