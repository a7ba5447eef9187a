import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";
import { currentSession, endSession, forgetSession, isSignedOut, keepSession } from "../src/session.ts";
import { signedCalls } from "../src/signed_calls.ts";

const HOSTED = {
  api: "https://a1.execute-api.eu-west-1.amazonaws.com/v1",
  region: "eu-west-1",
  sign_in: "https://team.auth.eu-west-1.amazoncognito.com",
  client: "c1",
  user_pool: "cognito-idp.eu-west-1.amazonaws.com/eu-west-1_A",
  identities: "https://cognito-identity.eu-west-1.amazonaws.com/",
  identity_pool: "eu-west-1:x",
};
const HOUR = 3_600_000;

beforeEach(() => {
  const kept = new Map();
  globalThis.localStorage = {
    getItem: (key) => kept.get(key) ?? null,
    setItem: (key, value) => kept.set(key, value),
    removeItem: (key) => kept.delete(key),
  };
});

/** Replaces the network, and returns the requests that reach it. `refuse` is Cognito's error. */
function network(refuse = null) {
  const seen = [];
  globalThis.fetch = async (target, init = {}) => {
    const url = target instanceof Request ? target.url : String(target);
    seen.push(target instanceof Request ? target : { url, ...init });
    if (!url.startsWith(HOSTED.identities)) return Response.json({});
    if (refuse) return Response.json({ __type: refuse }, { status: 400 });
    const Credentials = {
      AccessKeyId: "ASIA",
      SecretKey: "s",
      SessionToken: "t",
      Expiration: (Date.now() + HOUR) / 1000,
    };
    return Response.json({ IdentityId: "eu-west-1:y", Credentials });
  };
  return seen;
}

function session(more = {}) {
  return { token: "jwt", person: "p", name: "ada@example.com", expires: Date.now() + HOUR, ahead: 0, ...more };
}

test("a session ends when its token expires, and when it is ended", () => {
  keepSession(session());
  assert.equal(currentSession()?.person, "p");
  keepSession(session({ expires: Date.now() - 1 }));
  assert.equal(currentSession(), null);
  keepSession(session());
  endSession();
  assert.equal(currentSession(), null);
});

test("an ended session keeps no token, and is not a sign-out", () => {
  assert.equal(isSignedOut(), true);
  keepSession(session());
  endSession();
  assert.equal(isSignedOut(), false);
  assert.doesNotMatch(localStorage.getItem("session"), /jwt/);
  forgetSession();
  assert.equal(isSignedOut(), true);
});

test("without a session no call leaves the browser", async () => {
  const seen = network();
  await assert.rejects(signedCalls(HOSTED, "p")("GET", "/queue", null, null), { code: "signed_out" });
  assert.deepEqual(seen, []);
});

test("the ID token goes to the identity pool only, and calls are signed with its credentials, which are kept", async () => {
  const seen = network();
  keepSession(session());
  const call = signedCalls(HOSTED, "p");
  await call("GET", "/queue", null, null);
  await call("GET", "/jobs", null, null);
  assert.deepEqual(
    seen.map((request) => new URL(request.url).host.split(".")[0]),
    ["cognito-identity", "cognito-identity", "a1", "a1"],
  );
  const [signed] = seen.slice(2);
  assert.match(
    signed.headers.get("authorization"),
    /^AWS4-HMAC-SHA256 Credential=ASIA\/\d{8}\/eu-west-1\/execute-api\//,
  );
  assert.equal(signed.headers.get("x-amz-security-token"), "t");
  assert.doesNotMatch([...signed.headers].join(), /jwt/);
});

test("signatures have AWS's time, even if this machine's clock is wrong", async () => {
  const seen = network();
  keepSession(session({ ahead: 2 * HOUR }));
  await signedCalls(HOSTED, "p")("GET", "/queue", null, null);
  const hour = new Date(Date.now() + 2 * HOUR).toISOString().slice(11, 13);
  assert.equal(seen.at(-1).headers.get("x-amz-date").slice(9, 11), hour);
});

test("new credentials come with a new session", async () => {
  const seen = network();
  const call = signedCalls(HOSTED, "p");
  keepSession(session());
  await call("GET", "/queue", null, null);
  keepSession(session({ token: "other" }));
  await call("GET", "/queue", null, null);
  assert.equal(seen.filter((request) => request.url === HOSTED.identities).length, 4);
});

test("while another person is signed in, no call of this tab leaves the browser, even with credentials at hand", async () => {
  const seen = network();
  const call = signedCalls(HOSTED, "p");
  keepSession(session());
  await call("GET", "/queue", null, null);
  seen.length = 0;
  keepSession(session({ token: "other", person: "q" }));
  await assert.rejects(call("POST", "/jobs/a/cancel", null, null), { code: "other_person" });
  assert.deepEqual(seen, []);
  keepSession(session({ token: "newer" })); // the first person again
  await call("GET", "/queue", null, null);
  assert.equal(seen.at(-1).headers.get("authorization").slice(0, 4), "AWS4");
});

test("if the user was removed, the session ends", async () => {
  network("NotAuthorizedException");
  keepSession(session());
  await assert.rejects(signedCalls(HOSTED, "p")("GET", "/queue", null, null), { code: "signed_out" });
  assert.equal(currentSession(), null);
});

test("another error of Cognito keeps the session", async () => {
  network("TooManyRequestsException");
  keepSession(session());
  await assert.rejects(signedCalls(HOSTED, "p")("GET", "/queue", null, null), { code: "no_credentials" });
  assert.notEqual(currentSession(), null);
});

test("if Cognito does not answer, the call fails, and the next one asks again", async (t) => {
  const seen = network();
  const answering = globalThis.fetch;
  keepSession(session());
  const call = signedCalls(HOSTED, "p");
  t.mock.method(AbortSignal, "timeout", () => AbortSignal.abort(new DOMException("signal timed out", "TimeoutError")));
  globalThis.fetch = async (_target, { signal }) => {
    signal?.throwIfAborted();
    return new Promise(() => {});
  };
  const late = new Promise((resolve) => setTimeout(resolve, 100, "no answer"));
  await assert.rejects(Promise.race([call("GET", "/queue", null, null), late]), { name: "TimeoutError" });
  globalThis.fetch = answering;
  await call("GET", "/queue", null, null);
  assert.equal(new URL(seen.at(-1).url).pathname, "/v1/queue");
});

test("a name of dots in a link leads to no other call", async () => {
  const seen = network();
  keepSession(session());
  const call = signedCalls(HOSTED, "p");
  for (const path of ["/jobs/..", "/jobs/../drain", "/jobs/./why", "/jobs/%2e%2E/drain", "/jobs/..%2Fdrain/../x"])
    await assert.rejects(call("POST", path, null, null), { code: "unknown_path" });
  assert.deepEqual(seen, []);
  await call("GET", "/jobs/a%2Fb/why?next=..%2F", null, null);
  assert.equal(new URL(seen.at(-1).url).pathname, "/v1/jobs/a%2Fb/why");
});
