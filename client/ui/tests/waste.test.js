import assert from "node:assert/strict";
import { test } from "node:test";
import { held, ordered, sum, uses } from "../src/waste.ts";
import { sums } from "./builders.js";

test("what was preempted is kept but for what no checkpoint can have", () => {
  const told = uses(sums({ preempted_instance_seconds: 50, lost_at_most_instance_seconds: 20 }));
  assert.deepEqual([told.kept, told.lost], [30_000, 20_000]);
});

test("all that was held is what it went into", () => {
  const told = sums({ completed_instance_seconds: 5, starting_instance_seconds: 2, retained_instance_seconds: 3 });
  assert.equal(held(told), 10_000);
});

test("groups come with the largest first, and days with the latest", () => {
  const groups = { "2026-11-20": sums(), "2026-11-21": sums({ completed_instance_seconds: 9 }), "2026-11-22": sums() };
  assert.equal(ordered(groups, "owner")[0][0], "2026-11-21");
  assert.deepEqual(
    ordered(groups, "day").map(([day]) => day),
    ["2026-11-22", "2026-11-21", "2026-11-20"],
  );
});

test("where no price is known there is no sum, and where some are not it is more", () => {
  assert.equal(sum("$1.00", sums({ runs: 2 })), "$1.00");
  assert.equal(sum("$1.00", sums({ runs: 2, unpriced_runs: 1 })), "$1.00+");
  assert.equal(sum("$0.00", sums({ runs: 2, unpriced_runs: 2 })), "?");
});
