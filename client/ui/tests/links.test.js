// Links from the tags of a request.
import assert from "node:assert/strict";
import { test } from "node:test";
import { linksOf, tensorBoardFolder } from "../src/links.ts";

const tagged = (...pairs) => ({ Tags: pairs.map(([Key, Value]) => ({ Key, Value })) });

test("tags with an address become links, by the names of known tools", () => {
  const request = tagged(
    ["run", "https://wandb.ai/moon/resnet/runs/3f2a"],
    ["mlflow", "http://mlflow.internal:5000/experiments/1"],
    ["board", "https://tensorboard.example.com/x"],
    ["ticket", "https://example.com/42"],
    ["team", "vision"],
  );
  assert.deepEqual(
    linksOf(request).map((link) => link.name),
    ["W&B", "MLflow", "TensorBoard", "ticket"],
  );
  assert.equal(linksOf(request)[0].address, "https://wandb.ai/moon/resnet/runs/3f2a");
});

test("other schemes are no links", () => {
  assert.deepEqual(linksOf(tagged(["mlflow", "javascript:alert(1)"], ["a", "data:text/html,x"], ["b", "//x.y"])), []);
  assert.deepEqual(linksOf(undefined), []);
});

test("the folder of TensorBoard is that of the request", () => {
  assert.equal(tensorBoardFolder({ TensorBoardOutputConfig: { S3OutputPath: "s3://b/tb" } }), "s3://b/tb");
  assert.equal(tensorBoardFolder({}), null);
});
