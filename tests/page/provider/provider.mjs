// Runs a team's OIDC provider: `node provider.mjs CERTIFICATE ISSUER CALLBACK`. Prints its ports as JSON once it listens,
// and ends with its input.
//
// The provider is the package oidc-provider with its own pages, which accept any password. The second port is for
// Cognito: there, /token exchanges a code at the provider, and checks the ID token as Cognito does and ministack does not.

import { generateKeyPairSync } from "node:crypto";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import http from "node:http";
import https from "node:https";
import { createLocalJWKSet, jwtVerify } from "jose";
import { Provider } from "oidc-provider";

const [certificate, issuer, callback] = process.argv.slice(2);
const CLIENT = { client_id: "sagequeue", client_secret: "of-the-team" };
const PEOPLE = new Set(["ada", "bob", "carol"]);
/** What a provider, or a person who edits a profile there, may claim. Cognito must take none of it for a group. */
const FORGED = {
  groups: ["operators"],
  roles: ["operators"],
  "cognito:groups": "operators",
  "cognito:preferred_role": "arn:aws:iam::000000000000:role/Operator",
  "custom:role": "operators",
};

const { privateKey } = generateKeyPairSync("rsa", { modulusLength: 2048 });
const provider = new Provider(issuer, {
  clients: [{ ...CLIENT, redirect_uris: [callback], token_endpoint_auth_method: "client_secret_post" }],
  jwks: { keys: [{ ...privateKey.export({ format: "jwk" }), use: "sig", alg: "RS256" }] },
  cookies: { keys: ["of-tests-only"] },
  claims: { openid: ["sub", ...Object.keys(FORGED)], email: ["email", "email_verified"] },
  conformIdTokenClaims: false, // ministack reads the ID token alone
  findAccount: (_, id) => PEOPLE.has(id) && { accountId: id, claims: () => claimsOf(id) },
  loadExistingGrant: granted,
  pkce: { required: () => false }, // Cognito sends none to a provider
});

function claimsOf(id) {
  return { sub: id, email: `${id}@example.com`, email_verified: true, ...FORGED };
}

/** The team has agreed for everybody, so nobody is asked. */
async function granted({ oidc }) {
  const grant = new oidc.provider.Grant({ accountId: oidc.session.accountId, clientId: oidc.client.clientId });
  grant.addOIDCScope("openid email");
  await grant.save();
  return grant;
}

/** Answers like the provider's token endpoint, but refuses an ID token that the provider did not sign for this client. */
async function exchange(request, response) {
  const body = (await request.toArray()).join("");
  const headers = { "Content-Type": "application/x-www-form-urlencoded" };
  const own = `http://127.0.0.1:${ports.cognito}`;
  const answer = await fetch(`${own}/provider/token`, { method: "POST", headers, body });
  const tokens = await answer.json();
  const keys = createLocalJWKSet(await (await fetch(`${own}/provider/jwks`)).json());
  const status = answer.ok ? await statusOf(tokens.id_token, keys) : answer.status;
  response.writeHead(status, { "Content-Type": "application/json" }).end(JSON.stringify(tokens));
}

async function statusOf(token, keys) {
  const wanted = { issuer, audience: CLIENT.client_id, algorithms: ["RS256"] };
  return await jwtVerify(token, keys, wanted).then(
    () => 200,
    () => 400,
  );
}

const pem = readFileSync(certificate);
const forBrowsers = https.createServer({ key: pem, cert: pem }, provider.callback());
const forCognito = http.createServer((request, response) => {
  if (request.url === "/token") return exchange(request, response);
  request.url = request.url.replace(/^\/provider/, "");
  return provider.callback()(request, response);
});
const ports = {};
for (const [name, server] of Object.entries({ browsers: forBrowsers, cognito: forCognito })) {
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  ports[name] = server.address().port;
}
process.stdin.resume().on("end", () => process.exit());
console.log(JSON.stringify(ports));
