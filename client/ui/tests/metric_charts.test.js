// What charts of an attempt's metrics say in words.
import assert from "node:assert/strict";
import { test } from "node:test";
import { figuresOf, lastOfEach, metricSummary, topOf, withUnit } from "../src/metric_charts.ts";

const GPU = {
  name: "GPU",
  unit: "%",
  times: [0, 60_000],
  lines: [
    { name: "algo-1", values: [80, 90] },
    { name: "algo-2", values: [60, null] },
  ],
};

test("gaps count in no figure, and the last one is of each host", () => {
  assert.deepEqual(figuresOf(GPU), { last: 75, mean: 230 / 3, least: 60, most: 90 });
  assert.deepEqual(figuresOf({ ...GPU, lines: [] }), { last: 0, mean: 0, least: 0, most: 0 });
});

test("a small loss keeps its digits, and a large one has none behind the point", () => {
  assert.equal(withUnit(0.000123456, ""), "0.000123");
  assert.equal(withUnit(-1.19, ""), "-1.19");
  assert.equal(withUnit(12345.6, ""), "12,346");
  assert.equal(withUnit(2.5, "cores"), "2.5 cores");
});

test("a chart is summed up in words", () => {
  assert.equal(metricSummary(GPU), "GPU: 75 % at last, 76.7 % on average, from 60 % to 90 %");
});

test("the last value of each line is told, if it has one", () => {
  const silent = { name: "algo-3", values: [null, null] };
  assert.equal(lastOfEach({ ...GPU, lines: [...GPU.lines, silent] }), "algo-1 90 %, algo-2 60 %");
});

test("a percentage ends with 100", () => {
  assert.equal(topOf(GPU), 100);
  assert.equal(topOf({ ...GPU, unit: "" }), undefined);
});
