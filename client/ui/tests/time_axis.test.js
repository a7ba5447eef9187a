// Which times a chart shows, and how its axis labels them.
import assert from "node:assert/strict";
import { test } from "node:test";
import { timeLabels, timeRange } from "../src/time_axis.ts";

const MINUTE = 60;
/** In local time, in which an axis is labelled. */
const NOON = new Date(2026, 10, 24, 12).getTime() / 1000;

test("several times are shown from the first to the last", () => {
  assert.deepEqual(timeRange([NOON * 1000, (NOON + 90) * 1000, (NOON + 7200) * 1000]), [NOON, NOON + 7200]);
});

test("a single time is shown with minutes around it", () => {
  assert.deepEqual(timeRange([NOON * 1000]), [NOON - 5 * MINUTE, NOON + 5 * MINUTE]);
});

test("nothing is before the beginning of a training", () => {
  assert.deepEqual(timeRange([0]), [0, 5 * MINUTE]);
  assert.deepEqual(timeRange([60_000]), [0, 6 * MINUTE]);
});

test("a minute is labelled once, and midnight with its day", () => {
  const times = [NOON * 1000, (NOON + 60) * 1000];
  assert.deepEqual(timeLabels([NOON, NOON + 30, NOON + 60], times, false), ["12:00", "", "12:01"]);
  assert.deepEqual(timeLabels([NOON - 12 * 3600], times, false), ["Tue 24"]);
});

test("a time since a beginning is labelled as a span", () => {
  assert.deepEqual(timeLabels([0, 5 * MINUTE], [0], true), ["0 s", "5 min"]);
});
