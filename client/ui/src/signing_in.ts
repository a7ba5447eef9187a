// Signs a person in at the user pool: authorization code with PKCE, state and nonce. The page keeps the ID token only.

import * as oauth from "oauth4webapi";
import type { Hosted } from "./hosted.ts";
import { forgetSession, keepSession, type Session } from "./session.ts";

/** What this tab remembers while the person is at the sign-in page. Another tab or site cannot know it. */
const PENDING = "signing-in";

/** In the address of a tab whose person has signed out. */
const SIGNED_OUT = "?signed-out";

interface Pending {
  verifier: string;
  state: string;
  nonce: string;
  /** The view to return to. */
  hash: string;
}

/** Leaves for the sign-in page, which returns to the same view. */
export async function signIn(hosted: Hosted): Promise<void> {
  const pending: Pending = {
    verifier: oauth.generateRandomCodeVerifier(),
    state: oauth.generateRandomState(),
    nonce: oauth.generateRandomNonce(),
    hash: location.hash,
  };
  sessionStorage.setItem(PENDING, JSON.stringify(pending));
  const query = new URLSearchParams({
    response_type: "code",
    client_id: hosted.client,
    redirect_uri: returnAddress(),
    scope: "openid email",
    state: pending.state,
    nonce: pending.nonce,
    code_challenge: await oauth.calculatePKCECodeChallenge(pending.verifier),
    code_challenge_method: "S256",
  });
  location.assign(`${hosted.sign_in}/oauth2/authorize?${query}`);
}

/** Signs out here, in the other tabs, and at the sign-in page. */
export function signOut(hosted: Hosted): void {
  forgetSession();
  const query = new URLSearchParams({ client_id: hosted.client, logout_uri: `${returnAddress()}${SIGNED_OUT}` });
  location.assign(`${hosted.sign_in}/logout?${query}`);
}

/** Returns where a tab goes after a sign-out in another tab. From there, a sign-in returns to the same view. */
export function signedOutAddress(): string {
  return `/${SIGNED_OUT}${location.hash}`;
}

/** Returns the error that the sign-in page reports without a state; an empty text if there is none. */
export function errorWithoutState(): string {
  const query = new URL(location.href).searchParams;
  if (query.has("state") || !query.has("error")) return "";
  // Anybody can write such an address, so the page repeats no text of it.
  const code = /^[a-z_]{1,40}$/.exec(query.get("error") ?? "")?.[0] ?? "unknown";
  return `The sign-in page refused the request (error ${code}).`;
}

/** Finishes a sign-in if the address is the answer to one that this tab began. Throws if it was refused. */
export async function finishSigningIn(hosted: Hosted): Promise<void> {
  const address = new URL(location.href);
  if (!address.searchParams.has("state")) return;
  const pending = JSON.parse(sessionStorage.getItem(PENDING) ?? "null") as Pending | null;
  sessionStorage.removeItem(PENDING);
  history.replaceState(null, "", `/${pending?.hash ?? ""}`); // neither a reload nor a copied address repeats the code
  if (pending) keepSession(await redeem(hosted, address, pending));
}

async function redeem(hosted: Hosted, address: URL, pending: Pending): Promise<Session> {
  const issuer: oauth.AuthorizationServer = {
    issuer: `https://${hosted.user_pool}`,
    token_endpoint: `${hosted.sign_in}/oauth2/token`,
  };
  const client: oauth.Client = { client_id: hosted.client };
  const given = oauth.validateAuthResponse(issuer, client, address, pending.state);
  const answer = await oauth.authorizationCodeGrantRequest(
    issuer,
    client,
    oauth.None(),
    given,
    returnAddress(),
    pending.verifier,
  );
  const received = Date.now();
  const ahead = answer.ok ? issuedAt(await answer.clone().json()) - received : 0;
  const tokens = await oauth.processAuthorizationCodeResponse(
    issuer,
    { ...client, [oauth.clockSkew]: Math.round(ahead / 1000) },
    answer,
    { expectedNonce: pending.nonce, requireIdToken: true },
  );
  const claims = oauth.getValidatedIdTokenClaims(tokens);
  if (!claims || !tokens.id_token) throw new Error("The sign-in page returned no ID token.");
  return {
    token: tokens.id_token,
    person: claims.sub,
    name: typeof claims.email === "string" ? claims.email : claims.sub,
    expires: claims.exp * 1000 - ahead,
    ahead,
  };
}

/** Returns when the token was issued, by the clock of its issuer. The library checks the claims afterwards. */
function issuedAt(answer: { id_token?: string }): number {
  const claims = (answer.id_token ?? "").split(".")[1] ?? "";
  const text = atob(claims.replaceAll("-", "+").replaceAll("_", "/"));
  return JSON.parse(text || "{}").iat * 1000;
}

function returnAddress(): string {
  return `${location.origin}/`;
}
