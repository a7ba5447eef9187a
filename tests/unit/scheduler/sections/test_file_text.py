"""A configuration file, YAML or JSON, becomes plain values; each problem in it is reported with line and remedy."""

import json
import re
import subprocess
import sys
from time import process_time
from typing import Any

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from scheduler.core.sections.file_content import MAX_DEPTH, MAX_PROBLEMS, MAX_VALUES, UnreadableFile
from scheduler.core.sections.file_text import MAX_BYTES, read_file

KEYS = st.text(st.characters(exclude_characters="\0", exclude_categories=["Cs"]), max_size=8)
PLAIN = st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | KEYS
VALUES = st.recursive(PLAIN, lambda inner: st.lists(inner, max_size=4) | st.dictionaries(KEYS, inner, max_size=4))
FILES = st.dictionaries(KEYS, VALUES, max_size=4)


def problems_of(text: str, top_level: type = dict) -> list[str]:
    with pytest.raises(UnreadableFile) as refused:
        read_file(text, top_level)
    return [str(problem) for problem in refused.value.problems]


def only_problem_of(text: str, top_level: type = dict) -> str:
    [problem] = problems_of(text, top_level)
    return problem


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("off", "off"),
        ("no", "no"),
        ("yes", "yes"),
        ("on", "on"),
        ("1:30", "1:30"),
        ("2026-11-22", "2026-11-22"),
        ("2026-11-22T10:00:00Z", "2026-11-22T10:00:00Z"),
        ("012345678901", "012345678901"),
        ("1_000", "1_000"),
        ("0x1F", "0x1F"),
        ("5m", "5m"),
        ("'4'", "4"),
        ('"true"', "true"),
        ("config:*", "config:*"),
        ("|\n  one\n  two\n", "one\ntwo\n"),
        ("true", True),
        ("False", False),
        ("null", None),
        ("~", None),
        ("", None),
        ("-4", -4),
        ("0", 0),
        ("2.50", 2.5),
        ("1e3", 1000.0),
        ("{a: [1, x], b: {}}", {"a": [1, "x"], "b": {}}),
    ],
)
def test_yaml_has_the_values_of_json(text: str, value: Any) -> None:
    read = read_file(f"member: {text}").value["member"]
    assert (read, type(read)) == (value, type(value))


@given(FILES)
def test_json_is_read_as_it_was_written(value: dict[str, Any]) -> None:
    assert read_file(json.dumps(value, indent=1)).value == value
    assert read_file(json.dumps(value, ensure_ascii=False)).value == value


@given(st.dictionaries(st.text("ab.[]/#: *&!", max_size=6), VALUES, min_size=1, max_size=4))
def test_json_below_a_comment_is_yaml_with_the_same_values_and_lines(value: dict[str, Any]) -> None:
    # Blanks in place of the escapes that YAML reads otherwise.
    text = re.sub(r"(?<!\\)((?:\\\\)*)\\u", r"\1  ", json.dumps(value, indent=1))
    as_json, as_yaml = read_file("\n" + text), read_file("#\n" + text)
    assert (as_yaml.value, as_yaml.lines) == (as_json.value, as_json.lines)


@given(st.text("ab01 \n\t-:?,[]{}#&*!|>'\"%@`.\\~<=/ux\r\0\u2028\ud800", max_size=40), st.sampled_from([dict, list]))
def test_any_text_is_read_or_refused(text: str, top_level: type) -> None:
    try:
        content = read_file(text, top_level)
    except UnreadableFile as refused:
        assert all(problem.message for problem in refused.problems)  # noqa: PT017 - both ends are fine
    else:
        assert isinstance(content.value, top_level)
        assert all(1 <= line <= len(text.splitlines()) for line in content.lines.values())


SHARES = """\
# Shares of teams.
shares:
  vision:
    quota:
      ml.g5.xlarge: 1
      "ml.p4d.24xlarge": 2
  team[0].a:
    weight: 2
rules:
  rules:
    - name: spot
      most: 3

    -
      name: other
"""
LINES = [
    ("", 2),
    ("shares", 2),
    ("shares.vision.quota.ml.g5.xlarge", 5),
    ("shares.vision.quota.ml.p4d.24xlarge", 6),
    ("shares.vision.quota.ml.g5.2xlarge", 4),
    ("shares.vision.weight", 3),
    ("shares.team[0].a.weight", 8),
    ("shares.team[0].a.quota.ml.g5.xlarge", 7),
    ("rules.rules[0].most", 12),
    ("rules.rules[0].least", 11),
    ("rules.rules[1].name", 15),
    ("rules.rules[7].name", 10),
    ("notices.owners", 2),
]


@pytest.mark.parametrize(("path", "line"), LINES)
def test_a_path_has_the_line_of_its_member_or_of_the_nearest_parent(path: str, line: int) -> None:
    assert read_file(SHARES).line_of(path) == line


def test_json_has_lines_too() -> None:
    text = '\n{"ml.g5.xlarge":\n  [1,\n   {"a/b": ":",\n    "a": {"b": 2}}], "c": "\\u0061 \\" [{" }'
    content = read_file(text)
    paths = ["ml.g5.xlarge", "ml.g5.xlarge[0]", "ml.g5.xlarge[1].a/b", "ml.g5.xlarge[1].a.b", "c"]
    assert [content.line_of(path) for path in ["", *paths]] == [2, 2, 3, 4, 5, 5]


def test_paths_that_read_the_same_have_lines_of_their_own() -> None:
    lines = read_file("a.b: 1\na:\n  b: 2\n").lines
    assert (lines[("a.b",)], lines[("a", "b")]) == (1, 3)


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("a:\n\tb: 1", "line 2: A tab is not allowed here: use spaces"),
        ("a: 1\nb:\t2", "line 2: A tab is not allowed here: use spaces"),
        ("a: 1\nb: &x [1]\n", "line 2: b has the anchor &x: remove it"),
        ("a: 1\nb: *x\n", "line 2: b is the alias *x: write the value out"),
        ("a: 1\n*x : 2\n", "line 2: * is the alias *x: write the value out"),
        ("a:\n - *:role/X", "line 2: A text that begins with * or & must be in quotes"),
        ("a: 1\nb: !Ref x", "line 2: b has the tag !Ref: remove it"),
        ("a: !!python/object/apply:os.system [ls]", "line 1: a has the tag tag:yaml.org,2002:python/object/apply:os"),
        ("a: 1\n---\nb: 1\n", "line 2: A second document begins here: remove the line `---`"),
        ("a: 1\n<<: {b: 2}", "line 2: << merges objects, which is not supported: write the members out"),
        ("a: 1\n2: b", "line 2: 2 is not text: put the key in quotes"),
        ("true: b", "line 1: true is not text: put the key in quotes"),
        ("? [a]\n: b", "line 1: A key is a list or an object: keys must be text"),
        ("a: .inf", "line 1: a is not a number that JSON can express"),
        ("a: -Infinity", "line 1: a is not a number that JSON can express"),
        ("a: .nan", "line 1: a is not a number that JSON can express"),
        ("a: 1e999", "line 1: a is not a number that JSON can express"),
        ("a: " + "9" * 5000, "line 1: a is not a number that JSON can express"),
        ('{"a":\n NaN}', "line 1: a is not a number that JSON can express"),
        ('{"a": -Infinity}', "line 1: a is not a number that JSON can express"),
        ('{"a": 1e999}', "line 1: a is not a number that JSON can express"),
        ('{"a": ' + "9" * 5000 + "}", "line 1: a is not a number that JSON can express"),
        ("a: 1\nb: x\0y", "line 2: The character U+0000 is not allowed: remove it"),
        ("a: 1\nb: x\ud800y", "line 2: The character U+D800 is not allowed: remove it"),
        ("a: 1\nb: x\u2028y", "line 2: The character U+2028 is not allowed: remove it"),
        ('a: 1\nb: "\\0"', "line 2: b contains the character U+0000: remove it"),
        ('a: "\\ud800"', "line 1: a contains the character U+D800: remove it"),
        ('{"a": 1,\n"b": "\\u0000"}', "line 2: b contains the character U+0000: remove it"),
        ('{"a": 1,\n"b\\ud800": 2}', "line 2: b\\ud800 contains the character U+D800: remove it"),
        ('a: "\\UFFFFFFFF"', "line 1: An escape sequence or a number here is out of range: correct it"),
        ('a: 1\nb: "x\nc: 2\n', "line 2: This is not YAML: found unexpected end of stream"),
        ("a: [1\nb: 2\n", "line 2: This is not YAML: expected ',' or ']'"),
        ("a: b: c", "line 1: This is not YAML: mapping values are not allowed here. Check the indentation"),
        ('{"a": 1,\n b: 2}', "line 2: This is not JSON: Expecting property name enclosed in double quotes. Correct it"),
        ("", "The file is empty: write names with values, such as `rules:`"),
        (" \n", "The file is empty: write"),
        ("# rules:\n", "The file is empty: write"),
        ("rules", "line 1: The file must be names with values"),
        ("\n- rules", "line 2: The file must be names with values"),
        ("[1]", "line 1: The file must be names with values"),
    ],
)
def test_a_problem_has_its_line_and_a_remedy(text: str, problem: str) -> None:
    assert only_problem_of(text).startswith(problem)


@pytest.mark.parametrize(
    "text", ["a:\n  b: 1\nc: 2\na:\n  b: 2\nc: 3\n", '{"a": {\n"b": 1},\n"c": 2,"a":\n{"b": 2},\n"c": 3}']
)
def test_each_repeated_member_is_refused_with_both_lines(text: str) -> None:
    first, second = problems_of(text)
    lines = (1, 4, 3, 6) if text.startswith("a") else (1, 3, 3, 5)
    assert first == f"line {lines[1]}: a is given twice, first on line {lines[0]}: remove one of them"
    assert second == f"line {lines[3]}: c is given twice, first on line {lines[2]}: remove one of them"


def test_a_member_repeated_under_an_escape_is_refused() -> None:
    assert only_problem_of('{"a": 1, "\\u0061": 2}').startswith("line 1: a is given twice")


def test_a_section_may_be_a_list() -> None:
    assert read_file("- name: a\n- name: b\n", list).value == read_file('[{"name": "a"}, {"name": "b"}]', list).value
    assert only_problem_of("a: 1", list) == "line 1: The file must be a list: begin each entry with `-`"
    assert read_file('[\n\t{"name": "\\ud83d\\ude00"}]', list).value == [{"name": "😀"}]


def test_a_byte_order_mark_is_ignored() -> None:
    assert read_file("\ufeffa: 1").value == read_file('\ufeff{"a": 1}').value == {"a": 1}


@pytest.mark.parametrize("form", ["{{\n{}}}", "#\n{{{}}}"])
def test_a_file_is_nested_fifty_levels_at_most(form: str) -> None:
    allowed = '"a": ' + "[" * (MAX_DEPTH - 1) + "]" * (MAX_DEPTH - 1)
    assert read_file(form.format(allowed)).value
    for depth in (MAX_DEPTH, 100_000):
        deep = form.format('"a": ' + "[" * depth + "]" * depth)
        assert only_problem_of(deep) == "line 2: The file is nested deeper than 50 levels: make it flatter"


def test_a_longer_file_is_refused_before_it_is_parsed(monkeypatch: pytest.MonkeyPatch) -> None:
    text = "a: é".ljust(MAX_BYTES - 1)
    assert read_file(text).value == {"a": "é"}
    monkeypatch.delattr(yaml, "SafeLoader")  # without it, no YAML can be parsed
    assert only_problem_of(text + " ") == "The file is longer than 262144 bytes: shorten it"


def test_aliases_do_not_explode() -> None:
    """Ten levels of ten aliases are ten billion values when expanded, and a hundred nodes when refused."""
    laughs = ["l0: &l0 [lol]", *(f"l{n}: &l{n} [{', '.join([f'*l{n - 1}'] * 10)}]" for n in range(1, 11))]
    problems = problems_of("\n".join(laughs))
    assert len(problems) == MAX_PROBLEMS + 1
    assert problems[-1] == "Further problems are not listed"


@pytest.mark.parametrize("form", ['{{"a": [{}]}}', "a: [{}]"])
def test_a_large_file_has_no_more_nodes_than_it_writes(form: str) -> None:
    """One line for each value, also below a long key, whose text is in the path of each value below it."""
    text = form.replace("a", "k" * 1000).format(",".join("0" * 5000))
    assert len(read_file(text).lines) == 5002


@pytest.mark.parametrize("form", ['{{\n"a": [{}]}}', "#\na: [{}]"])
def test_a_file_of_very_many_values_is_refused_before_all_are_read(form: str) -> None:
    """Each takes time: without the bound, 256 KiB of YAML would take a function ten seconds."""
    assert len(read_file(form.format(",".join("1" * (MAX_VALUES - 2)))).lines) == MAX_VALUES
    begun = process_time()
    refused = form.format(",".join("1" * (MAX_BYTES // 2 - 20)))
    assert only_problem_of(refused) == "line 2: The file has more than 50000 values: shorten it"
    assert process_time() - begun < 2.5


def test_a_file_of_problems_lists_the_first_hundred() -> None:
    problems = problems_of("\n".join(f"a{n}: .inf" for n in range(5000)))
    assert problems[MAX_PROBLEMS - 1].startswith("line 100: a99 is not a number")
    assert problems[MAX_PROBLEMS:] == ["Further problems are not listed"]


def test_json_is_read_without_loading_a_parser_of_yaml() -> None:
    """Each cold start of a function would pay for it."""
    code = (
        "import sys; from scheduler.core.sections.file_text import read_file; read_file('{}');"
        "print('yaml' in sys.modules); read_file('a: 1'); print('yaml' in sys.modules)"
    )
    loaded = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)  # noqa: S603 - our code
    assert loaded.stdout.split() == ["False", "True"]
