"""A file with a mistake is refused as a whole, with the line and the remedy of each problem."""

from time import process_time
from typing import Any

import pytest

from scheduler.core.sections.file_text import MAX_BYTES
from support.builders.configurations import configure
from support.memory.config_store import MemoryConfigStore
from unit.scheduler.configuration.editing import FILE, apply, problems


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("policy: {}\nrules: {}\npolicy: {}", (3, "policy", "is given twice, first on line 1: remove one of them")),
        ("policy: {}\npolcy: {}", (2, "polcy", "is not a kind of settings; did you mean policy?")),
        ("weather: {}", (1, "weather", "is not a kind of settings; known are calendar, callers, ")),
        ("format: 1\npolicy: {}", (1, "format", "is not a kind of settings")),
        ("policy: {}\nidle-gpus: {}", (2, "idle-gpus", "is not a kind of settings; did you mean idle_gpus?")),
        ("rules: {}\npolicy:\n", (2, "policy", "is empty: leave it out to keep the current section, or write {} for")),
        ("policy: {}\npools:\n", (2, "pools", "is empty: leave it out to keep the current section, or write [] for")),
        ("policy: {}\ncallers:\n", (2, "callers", 'or write [{"name": "everybody", "principals": ["*"], "verbs": [')),
        ("policy: {}\ncallers: []\n", (2, "callers", "must have at least one entry with the verb submit")),
        ("policy:\n\tpatience: 5m", (2, "", "A tab is not allowed here: use spaces")),
        ("policy: {}\n---\nrules: {}", (2, "", "A second document begins here")),
        ("- policy: {}", (1, "", "The file must be names with values")),
        ("# nothing\n", (None, "", "The file is empty")),
        ("policy: &a {}\nrules: *a", (1, "policy", "has the anchor &a")),
        ("policy: !!python/object:os.system {}", (1, "policy", "has the tag")),
        ("policy:\n  <<: {}", (2, "policy.<<", "merges objects, which is not supported")),
        ('{"policy": {}, "policy": {}}', (1, "policy", "is given twice, first on line 1")),
        ('{"policy": {"starvation_share": NaN}}', (1, "policy.starvation_share", "not a number that JSON can express")),
        ("policy: {patience: 5m", (1, "", "This is not YAML")),
        ("policy: {}\n? [a, b]\n: 1", (2, "", "A key is a list or an object")),
        ("policy: {}\ntrue: {}", (2, "true", "put the key in quotes")),
        (
            "retries:\n  patterns:\n  - {failure: hardware, pattern: '(a+)+b'}",
            (3, "retries.patterns[0].pattern", "long"),
        ),
    ],
)
def test_bad_input_is_refused_as_a_whole_with_line_and_remedy(text: str, problem: tuple[Any, str, str]) -> None:
    line, field, message = next(iter(problems(text)))
    assert (line, field) == problem[:2]
    assert problem[2] in message


def test_problems_of_all_sections_are_reported_at_once_with_their_lines() -> None:
    text = "policy: {patience: 5}\npools:\n- {instance_type: ml.m5.large, use: keep}\nnotices:\n  owners: [all]\n"
    assert [found[:2] for found in problems(text)] == [
        (3, "pools[0].use"),
        (1, "policy.patience"),
        (5, "notices.owners[0]"),
    ]


def test_aliases_that_explode_are_refused_before_they_are_expanded() -> None:
    laughs = "\n".join(f"a{number}: &a{number} [{', '.join([f'*a{number - 1}'] * 9)}]" for number in range(1, 60))
    found = problems(f"a0: &a0 [lol, lol]\n{laughs}")
    assert len(found) <= 101
    assert found[0] == (1, "a0", "has the anchor &a0: remove it, or put the text in quotes")


def test_two_megabytes_are_refused_unread() -> None:
    assert problems("x" * 2 * 1024 * 1024) == [(None, "", f"The file is longer than {MAX_BYTES} bytes: shorten it")]


def test_sections_that_together_are_longer_than_an_item_are_refused() -> None:
    entries = [f"- {{name: n{number}, owner: {'*'!r}, gpu_hours: 1}}" for number in range(4000)]
    tags = [{"name": f"t{number}", "kind": "required_tags", "tags": {"x" * 900: {}}} for number in range(200)]
    store = MemoryConfigStore()
    configure(store, rules={"rules": tags})
    ((line, field, message),) = problems("spending:\n  limits:\n  " + "\n  ".join(entries), store)
    assert (line, field) == (None, "")
    assert message.startswith("the total length of all sections exceeds")


MANY = range(3900)


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("shares:\n" + "\n".join(f"  team{number}: {{}}" for number in range(12_000)), 101),
        ("policy:\n" + "\n".join(f"  p{number}: 1" for number in range(20_000)), 101),
        ("spending:\n  limits:\n" + "\n".join(f"  - {{name: n{n}, owner: role/r{n}, gpu_hours: 1}}" for n in MANY), 1),
        ("rules:\n  rules:\n" + "\n".join(f"  - {{name: n{n}, kind: instances_per_job, most: 4}}" for n in MANY), 1),
    ],
    ids=["a problem in each entry", "unknown members", "limits", "rules"],
)
def test_a_large_file_with_many_mistakes_is_refused_in_a_fraction_of_the_time_of_a_call(text: str, found: int) -> None:
    begun = process_time()
    assert len(problems(text)) == found
    assert process_time() - begun < 5  # it took 10 to 50 s while the work grew with the square of the entries


def test_nothing_of_a_file_with_one_mistake_is_applied() -> None:
    store = MemoryConfigStore()
    in_force = apply(store, FILE)
    assert problems("policy: {ordering: shortest}\nrules: {rules: [{name: a, kind: spot, use: maybe}]}", store)
    assert store.versions == {1: in_force}
