import assert from "node:assert/strict";
import { test } from "node:test";
import { changedJobs, knownOf } from "../src/own_jobs.ts";
import { at, job } from "./builders.js";

const names = (jobs) => jobs.map((one) => `${one.name} ${one.state}`);

test("nothing is told before anything is known", () => {
  assert.deepEqual(changedJobs(null, [job("a", { updated_at: at(0) })]), []);
});

test("a job that has changed to a told state is told once", () => {
  const before = knownOf([job("a", { state: "launching", updated_at: at(0) })], null);
  const now = [job("a", { state: "running", updated_at: at(60) })];
  assert.deepEqual(names(changedJobs(before, now)), ["a running"]);
  assert.deepEqual(changedJobs(knownOf(now, before), now), []);
});

test("a change that is of no interest is not told", () => {
  const before = knownOf([job("a", { updated_at: at(0) })], null);
  assert.deepEqual(changedJobs(before, [job("a", { state: "stopping", updated_at: at(9) })]), []);
});

test("a job that was not known is told if it changed since then, as one that started and failed between two looks", () => {
  const before = knownOf([job("a", { updated_at: at(50) })], null);
  const failed = job("b", { state: "failed", updated_at: at(60) });
  const old = job("c", { state: "completed", updated_at: at(10) });
  assert.deepEqual(names(changedJobs(before, [failed, old])), ["b failed"]);
});
