import assert from "node:assert/strict";
import { test } from "node:test";
import { fittingSpan, heldInstances, laneBars, laneReservations, latestEnd } from "../src/lanes.ts";
import { at, attempt, job, T0 } from "./builders.js";

const MINUTE = 60_000;

function bars(jobs, limit) {
  return laneBars(heldInstances(jobs, "g5", T0), "g5", limit).map((bar) => [bar.held.job.name, bar.lane, bar.height]);
}

test("attempts at the same time are in lanes of their own", () => {
  const jobs = [job("a", { attempts: [attempt(1, 0)] }), job("b", { attempts: [attempt(1, 5)] })];
  assert.deepEqual(bars(jobs, 2), [
    ["a", 0, 1],
    ["b", 1, 1],
  ]);
});

test("who comes when somebody has gone takes that lane", () => {
  const jobs = [job("a", { attempts: [attempt(1, 0, 10)] }), job("b", { attempts: [attempt(1, 10)] })];
  assert.deepEqual(bars(jobs, 1), [
    ["a", 0, 1],
    ["b", 0, 1],
  ]);
});

test("several instances are side by side where there is room for that, and apart where there is not", () => {
  const short = job("short", { attempts: [attempt(1, 0, 10)] });
  const long = job("long", { attempts: [attempt(1, 1)] });
  const wide = job("wide", { instances: { g5: 2 }, attempts: [attempt(1, 20)] });
  assert.deepEqual(bars([short, long, wide], 4).slice(2), [["wide", 2, 2]]);
  assert.deepEqual(bars([short, long, wide], 3).slice(2), [
    ["wide", 0, 1],
    ["wide", 2, 1],
  ]);
});

test("each attempt takes the lanes of the instances that it held", () => {
  const choices = [{ instances: { p5: 1 } }, { instances: { g5: 2 } }];
  const selected = attempt(2, 20, 30, { selected: { g5: 1 } });
  const moved = {
    instances: { p5: 1 },
    choices,
    attempts: [attempt(1, 0, 10, { choice: 1 }), selected, attempt(3, 40)],
  };
  assert.deepEqual(bars([job("a", moved)], 2), [
    ["a", 0, 2],
    ["a", 0, 1],
  ]);
});

test("what a larger budget let in stays in sight beyond the lanes of the smaller one", () => {
  const jobs = ["a", "b", "c"].map((name, index) => job(name, { attempts: [attempt(1, index)] }));
  assert.deepEqual(bars(jobs, 2).at(-1), ["c", 2, 1]);
});

test("what ended before the time that is shown, and other types, are left out", () => {
  const old = job("old", { attempts: [attempt(1, -100, -50)] });
  const other = job("other", { instances: { p5: 1 }, attempts: [attempt(1, 0)] });
  assert.deepEqual(heldInstances([old, other], "g5", T0), []);
});

test("a place is kept in the lane of whom it waits for", () => {
  const jobs = [job("a", { attempts: [attempt(1, 0)] }), job("b", { attempts: [attempt(1, 1)] })];
  const all = laneBars(heldInstances(jobs, "g5", T0), "g5", 2);
  const waiting = [{ job: job("next"), starts: { earliest: at(300), latest: null, after: "b" } }];
  assert.deepEqual(
    laneReservations(waiting, all, "g5", 2).map((one) => [one.job.name, one.lane]),
    [["next", 1]],
  );
});

test("nothing is drawn for a job of which nobody knows when it starts", () => {
  const waiting = [
    { job: job("next"), starts: { earliest: null, latest: null, after: null } },
    { job: job("x"), starts: null },
  ];
  assert.deepEqual(laneReservations(waiting, [], "g5", 2), []);
});

test("the time limit counts from the beginning of the training", () => {
  const [held] = heldInstances(
    [job("a", { attempts: [attempt(1, 0, null, { training_started_at: at(30) })] })],
    "g5",
    T0,
  );
  assert.equal(latestEnd(held), T0 + 630_000);
});

test("the axis goes back to the beginning of what runs longest, as a round span", () => {
  const jobs = [
    job("a", { attempts: [attempt(1, 0)] }),
    job("b", { state: "completed", attempts: [attempt(1, -9999, 0)] }),
  ];
  assert.equal(fittingSpan(jobs, T0 + 8 * MINUTE), 10 * MINUTE);
  assert.equal(fittingSpan([], T0), MINUTE);
});
