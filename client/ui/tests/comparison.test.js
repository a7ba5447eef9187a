// What differs between two jobs, and their metrics over the same time.
import assert from "node:assert/strict";
import { test } from "node:test";
import { differencesOf, overlaid } from "../src/comparison.ts";
import { job } from "./builders.js";

test("facts and members of requests that differ are listed, tags by their keys", () => {
  const request = { TrainingJobName: "a", HyperParameters: { lr: "0.1", seed: "1" }, Tags: [{ Key: "x", Value: "1" }] };
  const other = { TrainingJobName: "b", HyperParameters: { lr: "0.2", seed: "1" }, Tags: [{ Key: "y", Value: "2" }] };
  const rows = differencesOf(job("a", { request }), job("b", { priority: 9, request: other }));
  assert.deepEqual(
    rows.map(({ name, other }) => [name, other]),
    [
      ["priority", "9"],
      ["HyperParameters.lr", "0.2"],
      ["Tags.x", ""],
      ["Tags.y", "2"],
    ],
  );
});

test("equal jobs do not differ, nor does a request that is not shown", () => {
  assert.deepEqual(differencesOf(job("a"), job("b")), []);
});

const chart = (name, times, ...lines) => ({
  name,
  unit: "",
  times,
  lines: lines.map((values, index) => ({ name: `algo-${index + 1}`, values })),
});

test("metrics are laid over each other from the beginning of each, with the mean over hosts", () => {
  const one = { attempt: "a-1", hosts: 2, charts: [chart("loss", [1000, 2000], [2, 1], [4, null])] };
  const other = { attempt: "b-1", hosts: 1, charts: [chart("loss", [5000, 7000], [9, 8]), chart("acc", [6000], [1])] };
  assert.deepEqual(overlaid(one, other, ["a", "b"]), [
    {
      name: "loss",
      unit: "",
      times: [0, 1000, 2000],
      lines: [
        { name: "a", values: [3, 1, null] },
        { name: "b", values: [9, null, 8] },
      ],
    },
    {
      name: "acc",
      unit: "",
      times: [1000],
      lines: [
        { name: "a", values: [null] },
        { name: "b", values: [1] },
      ],
    },
  ]);
});
