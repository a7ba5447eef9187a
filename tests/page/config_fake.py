"""A fake of the configuration's calls: versions in memory, and plans whose effect on jobs a test sets."""

from typing import Any

import yaml

DAY = "2026-11-22"
AUTHOR = "arn:aws:sts::123456789012:assumed-role/Ops/ada"
#: A line with this word is refused.
WRONG = "wrong"
#: Versions in one page of the list.
PAGE = 3

Answer = tuple[int, Any]


class FakeConfig:
    def __init__(self, **sections: Any) -> None:
        self._versions: list[dict[str, Any]] = []
        self.effect: dict[str, Any] = {"warnings": [], "jobs": [], "next_cycle": {"before": [], "after": []}}
        if sections:
            self.apply(sections, "the first one")

    @property
    def newest(self) -> int:
        return len(self._versions)

    def apply(self, given: dict[str, Any], comment: str, author: str = AUTHOR) -> None:
        self._versions.append(
            {
                "version": self.newest + 1,
                "author": author,
                "applied_at": f"{DAY}T02:0{self.newest}:00Z",
                "comment": comment,
                "changed": self._changed(given),
                "sections": {**self.sections(), **given},
            }
        )

    def sections(self, version: int | None = None) -> dict[str, Any]:
        return dict(self._config(version)["sections"])

    def answer(self, method: str, path: list[str], query: dict[str, str], text: str, you: dict[str, Any]) -> Answer:
        match method, path:
            case "GET", []:
                return 200, self._config(int(query["version"]) if "version" in query else None)
            case "GET", ["versions"]:
                return 200, self._page(int(query.get("next", self.newest + 1)))
            case "POST", ["rollback"]:
                return self._apply(self.sections(int(query["version"])), query)
        if method == "PUT":
            path = [*path, "apply"]
        problems = [_problem(number, path[0]) for number, line in enumerate(text.splitlines(), 1) if WRONG in line]
        if problems:
            return 400, _refusal("bad_config", "The text is wrong", problems=problems)
        content = yaml.safe_load(text)
        given = content if len(path) == 1 else {path[0]: content}
        return self._apply(given, query) if path[-1] == "apply" else (200, self._plan(given, you))

    def _config(self, version: int | None) -> dict[str, Any]:
        number = self.newest if version is None else version
        nothing: dict[str, Any] = {
            "version": 0,
            "author": None,
            "applied_at": None,
            "comment": "",
            "changed": [],
            "sections": {},
        }
        return self._versions[number - 1] if number else nothing

    def _page(self, before: int) -> dict[str, Any]:
        older = list(reversed(self._versions[: before - 1]))
        last = older[:PAGE][-1]["version"] if older else 0
        return {"versions": older[:PAGE], "next": str(last) if len(older) > PAGE else None}

    def _changed(self, given: dict[str, Any]) -> list[str]:
        return [kind for kind, section in given.items() if section != self.sections().get(kind)]

    def _plan(self, given: dict[str, Any], you: dict[str, Any]) -> dict[str, Any]:
        changed = self._changed(given)
        return {
            "version": self.newest,
            "changed": changed,
            "before": {kind: self.sections()[kind] for kind in changed if kind in self.sections()},
            "after": {kind: given[kind] for kind in changed},
            "checked": 9,
            "complete": True,
            "left_out": 0,
            "periods": [],
            "you": you,
            **self.effect,
        }

    def _apply(self, given: dict[str, Any], query: dict[str, str]) -> Answer:
        if int(query["replaces"]) != self.newest:
            message = f"The current version of the configuration is {self.newest}, not {query['replaces']}"
            return 409, _refusal("stale_config", message)
        self.apply(given, query.get("comment", ""))
        return 200, self._config(None)


def _problem(line: int, field: str) -> dict[str, Any]:
    return {"line": line, "field": field, "message": f"is no value: correct line {line}"}


def _refusal(code: str, message: str, **details: Any) -> dict[str, Any]:
    return {"error": code, "message": message, "field": None, "remedy": "Do it otherwise.", **details}
