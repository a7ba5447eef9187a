import assert from "node:assert/strict";
import { test } from "node:test";
import { midnights, weekOf } from "../src/week.ts";
import { at, T0 } from "./builders.js";

const HOUR = 3600;
const period = (hours, budget, windows = []) => ({ begins: at(hours * HOUR), budget, excess: {}, windows });
const told = (week, kind) =>
  week.strips.get(kind).map(({ from, until, instances }) => [(from - T0) / 3.6e6, (until - T0) / 3.6e6, instances]);

test("each type has a segment for each of its budgets, up to the end of the week", () => {
  const periods = [
    period(-5, { p5: 2, g5: 4 }),
    period(10, { p5: 2, g5: 8 }, ["nights"]),
    period(20, { p5: 2, g5: 4 }),
    period(400, { p5: 9, g5: 9 }),
  ];
  const week = weekOf(periods, T0);
  assert.deepEqual(told(week, "p5"), [[0, 168, 2]]);
  assert.deepEqual(told(week, "g5"), [
    [0, 10, 4],
    [10, 20, 8],
    [20, 168, 4],
  ]);
  assert.deepEqual(week.strips.get("g5")[1].windows, ["nights"]);
});

test("a type that a period leaves out has no instances there", () => {
  const week = weekOf([period(0, { g5: 4 }), period(24, { g5: 4, "p5@winter": 4 })], T0);
  assert.deepEqual(told(week, "p5@winter"), [
    [0, 24, 0],
    [24, 168, 4],
  ]);
});

test("the days of the strip begin at local midnights", () => {
  const days = midnights(weekOf([period(0, { g5: 4 })], T0));
  assert.equal(days.length, 7);
  assert.ok(days.every((day) => day.getHours() === 0));
});
