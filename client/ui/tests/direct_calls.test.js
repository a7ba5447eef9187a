import assert from "node:assert/strict";
import { test } from "node:test";
import { directCalls } from "../src/direct_calls.ts";

/** Returns the page's transport on an API that answers by method and path, and the calls that reached the API. */
function api(answers) {
  const seen = [];
  const signed = async (method, path, body) => {
    seen.push([method, path, body && JSON.parse(body)]);
    const { status = 200, ...content } = answers[`${method} ${path}`] ?? {};
    return new Response(JSON.stringify(content), { status });
  };
  const transport = directCalls(signed);
  return {
    seen,
    send: (method, address, body = null) => transport(method, address, body && JSON.stringify(body), null),
  };
}

test("reads are the same calls of the API, and a list asks for whole pages", async () => {
  const { seen, send } = api({ "GET /queue": { live: 1 } });
  assert.deepEqual(await send("GET", "queue"), { live: 1 });
  await send("GET", "jobs?state=pending");
  await send("GET", "jobs/a%20b/why");
  assert.deepEqual(seen.slice(1), [
    ["GET", "/jobs?state=pending&limit=200", null],
    ["GET", "/jobs/a%20b/why", null],
  ]);
});

test("a request alone is wrapped, a request with options is sent as it is", async () => {
  const { seen, send } = api({});
  await send("POST", "submit", { TrainingJobName: "a" });
  await send("POST", "what-if", { request: {}, options: { priority: 1 } });
  assert.deepEqual(seen, [
    ["POST", "/jobs", { request: { TrainingJobName: "a" } }],
    ["POST", "/what-if", { request: {}, options: { priority: 1 } }],
  ]);
});

test("a requeue names the attempt that the page shows, even if a later one has begun", async () => {
  const { seen, send } = api({ "GET /jobs/a": { attempts: [{ number: 1 }, { number: 2 }] } });
  await send("POST", "jobs/a/requeue", { attempt: 1 });
  assert.deepEqual(seen, [["POST", "/jobs/a/requeue", { attempt: 1 }]]);
});

test("refusals of the queue keep their remedies, and those of API Gateway get one", async () => {
  const refused = { status: 403, error: "not_permitted", message: "No.", remedy: "Ask.", field: "priority" };
  const denied = { status: 403, Message: "User: arn:x is not authorized to perform: execute-api:Invoke" };
  const skewed = { status: 403, message: "Signature expired: 20261128T120000Z" };
  const { send } = api({ "POST /jobs/a/hold": refused, "POST /jobs/b/hold": denied, "POST /jobs/c/hold": skewed });
  await assert.rejects(send("POST", "jobs/a/hold"), { code: "not_permitted", remedy: "Ask.", field: "priority" });
  await assert.rejects(send("POST", "jobs/b/hold"), { code: "not_permitted", message: "Your group may not do this." });
  await assert.rejects(send("POST", "jobs/c/hold"), { code: "signature" });
});

test("what only a server can read is refused without a call", async () => {
  const { seen, send } = api({});
  for (const address of [
    "report?since=x",
    "usage?days=1",
    "jobs/a/log?attempt=1",
    "jobs/a/metrics?attempt=1",
    "jobs/a/trials",
  ])
    await assert.rejects(async () => send("GET", address), { code: "only_local" });
  assert.deepEqual(seen, []);
});

test("a plan shows the lines that change", async () => {
  const plan = { before: { rules: [1, 2] }, after: { rules: [1, 3] } };
  const { send } = api({ "POST /config/rules/plan": plan });
  const { differences } = await send("POST", "config/rules/plan", []);
  assert.deepEqual(differences.rules, [" [", "   1,", "-  2", "+  3", " ]"]);
});

test("an action on many jobs goes on after one is refused, and stops between calls", async () => {
  const names = Array.from({ length: 45 }, (_, index) => `job-${index}`);
  const seen = [];
  const signed = async (_method, _path, body) => {
    const asked = JSON.parse(body).names;
    seen.push(asked.length);
    const [first, ...changed] = asked;
    return new Response(JSON.stringify({ changed, refused: [{ name: first, message: "No." }] }));
  };
  const send = directCalls(signed);
  const { id } = await send("POST", "batches", JSON.stringify({ verb: "hold", names }), null);
  let batch = { is_over: false };
  while (!batch.is_over) batch = await send("GET", `batches/${id}`, null, null);
  assert.deepEqual(seen, [20, 20, 5]);
  assert.equal(batch.changed.length, 42);
  assert.equal(batch.refused.length, 3);
});
