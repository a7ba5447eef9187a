import assert from "node:assert/strict";
import { test } from "node:test";
import { account, accountsBy, quantile } from "../src/waste.ts";
import { at, attempt, job } from "./builders.js";

test("each second of each instance is in exactly one account", () => {
  const one = job("a", {
    instances: { g5: 2 },
    attempts: [
      attempt(1, 10, 40, { outcome: "preempted", training_started_at: at(15) }),
      attempt(2, 50, 100, { outcome: "completed", training_started_at: at(60) }),
    ],
  });
  const { uses, all } = account([one]);
  assert.deepEqual(
    { resumed: uses.resumed, work: uses.work, startup: uses.startup },
    { resumed: 50_000, work: 80_000, startup: 30_000 },
  );
  assert.equal(all, 160_000);
});

test("a preemption without checkpoints loses it all", () => {
  const attempts = [attempt(1, 0, 30, { outcome: "preempted" })];
  assert.equal(account([job("a", { has_checkpoints: false, attempts })]).uses.lost, 30_000);
});

test("what never trained was starting up until its end", () => {
  const attempts = [attempt(1, 0, 20, { outcome: "failed", training_started_at: null })];
  const { uses } = account([job("a", { attempts })]);
  assert.deepEqual([uses.startup, uses.failed], [20_000, 0]);
});

test("a wait ends with the first start; who never started has none", () => {
  const waits = account([job("a", { attempts: [attempt(1, 7, 9), attempt(2, 20, 30)] }), job("b")]).waits;
  assert.deepEqual(waits, [7000]);
});

test("groups come with the largest first", () => {
  const jobs = [job("a", { attempts: [attempt(1, 0, 5)] }), job("b", { attempts: [attempt(1, 0, 9)] })];
  assert.deepEqual(
    accountsBy(jobs, (one) => one.name).map(([name]) => name),
    ["b", "a"],
  );
});

test("a quantile is one of the values, and 0 of none", () => {
  assert.equal(quantile([30, 10, 20], 0.5), 20);
  assert.equal(quantile([30, 10, 20], 1), 30);
  assert.equal(quantile([], 0.9), 0);
});
