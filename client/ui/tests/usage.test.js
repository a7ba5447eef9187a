// What charts of instances over time say in words and in tables.
import assert from "node:assert/strict";
import { test } from "node:test";
import { edges, free, marksOf, rowsOf, said, summary, valuesAt } from "../src/usage.ts";

const KIND = "ml.g5.xlarge";
const GROUP = { name: KIND, held: [0, 2, 4, 5], waiting: [0, 0, 3, 1], limit: [4, 4, 4, 4] };
const TEAM = { name: "vision", held: [1, 1, 1, 1], waiting: [0, 0, 0, 0] };
const PREEMPTION = { at: "2026-11-21T11:00:00Z", kind: "preemption", job: "a", by: "b", instances: { [KIND]: 1 } };
const BUDGET = {
  at: "2026-11-21T12:00:00Z",
  kind: "budget",
  job: null,
  by: "calendar",
  instances: { "ml.m5.large": 2 },
};
const USAGE = {
  begin: "2026-11-21T10:00:00Z",
  step_seconds: 3600,
  steps: 4,
  groups: [GROUP, TEAM],
  marks: [PREEMPTION, BUDGET],
};

test("what is free is the rest of the budget, and never less than none", () => {
  assert.deepEqual(free(GROUP), [4, 2, 0, 0]);
  assert.equal(free(TEAM), null);
});

test("the last step has an end", () => {
  assert.deepEqual(
    edges(USAGE).map((edge) => new Date(edge).getUTCHours()),
    [10, 11, 12, 13, 14],
  );
});

test("rows of the table are means over parts of the time", () => {
  assert.deepEqual(
    rowsOf(USAGE, GROUP, 2).map(({ held, free, waiting }) => [held, free, waiting]),
    [
      [1, 3, 0],
      [4.5, 0, 2],
    ],
  );
  assert.equal(rowsOf(USAGE, TEAM, 12).length, 4);
  assert.equal(rowsOf(USAGE, TEAM, 12)[0].free, null);
});

test("a chart is summed up in words", () => {
  assert.equal(
    summary(GROUP),
    "ml.g5.xlarge: held 2.8 on average, 5 at most; waiting 1 on average, 3 at most; free 1.5 on average, 4 at most",
  );
  assert.equal(summary(TEAM), "vision: held 1 on average, 1 at most; waiting 0 on average, 0 at most");
});

test("the values of a step name its beginning", () => {
  assert.match(valuesAt(USAGE, GROUP, 2, Date.parse(USAGE.begin)), /^\d\d:00:00: held 4, waiting 3, free 0$/);
});

test("a type has the marks of its own instances, a team all", () => {
  assert.deepEqual(marksOf(USAGE, GROUP), [PREEMPTION]);
  assert.deepEqual(marksOf(USAGE, TEAM), [PREEMPTION, BUDGET]);
});

test("marks are told in words", () => {
  assert.equal(said(PREEMPTION), "a was preempted for b");
  assert.equal(said({ ...PREEMPTION, by: null }), "a was preempted to meet the budget");
  assert.equal(said(BUDGET), "2 × ml.m5.large, by calendar");
});
