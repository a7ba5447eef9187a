// The objectives of a tuning job's trials, in the order of their ends.
import assert from "node:assert/strict";
import { test } from "node:test";
import { chosenText, objectiveSummary, objectivesOf } from "../src/trials.ts";

const at = (second) => new Date(1000 * second).toISOString();
const TRIALS = [
  { name: "a", objective: 0.5, ended_at: at(3), chosen: { rate: "0.1", depth: "3" } },
  { name: "b", objective: 0.9, ended_at: at(1), chosen: {} },
  { name: "c", objective: 0.2, ended_at: at(5), chosen: {} },
  { name: "d", objective: null, ended_at: at(4), chosen: {} },
  { name: "e", objective: null, ended_at: null, chosen: {} },
];

test("the best value so far follows the goal, and only counted trials are drawn", () => {
  const least = objectivesOf({ metric: "loss", goal: "Minimize", trials: TRIALS });
  assert.deepEqual(least, { times: [1000, 3000, 5000], objectives: [0.9, 0.5, 0.2], best: [0.9, 0.5, 0.2] });
  const most = objectivesOf({ metric: "accuracy", goal: "Maximize", trials: TRIALS });
  assert.deepEqual(most.best, [0.9, 0.9, 0.9]);
  assert.equal(objectiveSummary("accuracy", most), "accuracy of 3 trials: best 0.9, from 0.2 to 0.9");
});

test("the chosen hyperparameters are sorted by name", () => {
  assert.equal(chosenText(TRIALS[0]), "depth=3, rate=0.1");
});
