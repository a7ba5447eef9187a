import assert from "node:assert/strict";
import { test } from "node:test";
import { instances, saves } from "../src/words.ts";
import { attempt, job, T0 } from "./builders.js";

test("of preferences one is selected, of a cluster all are held", () => {
  const both = { p5: 1, p4d: 2 };
  assert.equal(instances(job("a", { instances: both })), "1 × p5 + 2 × p4d");
  assert.equal(instances(job("a", { instances: both, preferences: ["p5", "p4d"] })), "1 × p5 or 2 × p4d");
});

test("a live job shows its last save, and whether notices reach it", () => {
  const reported = (changes) => saves(job("a", { attempts: [attempt(1, 0, null, changes)] }), T0 + 300_000);
  const saved = { step: 1200, saved_at: new Date(T0 + 60_000).toISOString() };
  const last = "last saved 4 min ago (step 1,200); the program reads stop notices";
  assert.equal(reported({ takes_notice: true, listens: true, saved }), last);
  assert.match(
    reported({ takes_notice: true, listens: false, saved: null }),
    /^none reported; the program has not reported/,
  );
  assert.match(reported({ takes_notice: false, listens: false, saved: null }), /gets no stop notice$/);
  assert.equal(saves(job("a", { attempts: [attempt(1, 0, 60)] }), T0), "");
});
