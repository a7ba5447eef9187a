// Signs calls to the queue's API with short-lived credentials of the identity pool. They stay in this tab's memory.

import { AwsClient } from "aws4fetch";
import type { Hosted } from "./hosted.ts";
import { Refusal } from "./refusal.ts";
import { currentSession, endSession, type Session } from "./session.ts";

/** Credentials that expire sooner, in milliseconds, are renewed. */
const SOON = 120_000;
/** Milliseconds for an answer of Cognito. All calls of the tab wait for it. */
const LONGEST = 15_000;
const AGAIN = "Sign in again. Your entries on this page stay.";

interface Held {
  token: string;
  client: Promise<AwsClient>;
  /** When to renew the credentials, by this machine's clock. */
  renewal: number;
}

export type SignedCall = (
  method: string,
  path: string,
  body: string | null,
  signal: AbortSignal | null,
) => Promise<Response>;

/** Returns the calls of one person. In a session of another person, they are refused before anything is sent. */
export function signedCalls(hosted: Hosted, person: string): SignedCall {
  let held: Held | null = null;

  /** Several calls at once get the same credentials. */
  function clientOf(session: Session): Promise<AwsClient> {
    if (held?.token !== session.token || held.renewal < Date.now()) {
      const given = newCredentials(hosted, session);
      const fresh = { token: session.token, client: given.then(({ client }) => client), renewal: Infinity };
      given.then(
        ({ until }) => {
          fresh.renewal = until - SOON;
        },
        () => {
          fresh.renewal = 0;
        },
      );
      held = fresh;
    }
    return held.client;
  }

  /** Browsers resolve the name `..`, so a link to a job of this name would lead to another call. */
  function addressOf(path: string): string {
    const address = new URL(hosted.api + path);
    if (address.pathname === new URL(hosted.api).pathname + path.split("?")[0]) return address.href;
    throw new Refusal("unknown_path", "The queue's API does not have this path.", "Correct the address of the page.");
  }

  return async (method, path, body, signal) => {
    const session = currentSession();
    if (!session) throw new Refusal("signed_out", "Your session has ended.", AGAIN);
    if (session.person !== person)
      throw new Refusal("other_person", "Another person has signed in.", "Reload the page to continue as that person.");
    const address = addressOf(path);
    const client = await clientOf(session);
    const datetime = new Date(Date.now() + session.ahead).toISOString().replace(/[:-]|\.\d{3}/g, "");
    const headers = { "Content-Type": "application/json" };
    const request = await client.sign(address, { method, headers, body, aws: { datetime } });
    return fetch(request, { signal, credentials: "omit", redirect: "error", cache: "no-store" }); // nothing on the disk
  };
}

async function newCredentials(hosted: Hosted, session: Session): Promise<{ client: AwsClient; until: number }> {
  const logins = { [hosted.user_pool]: session.token };
  const { IdentityId } = await ask(hosted, session, "GetId", { IdentityPoolId: hosted.identity_pool, Logins: logins });
  const { Credentials: given } = await ask(hosted, session, "GetCredentialsForIdentity", {
    IdentityId,
    Logins: logins,
  });
  const client = new AwsClient({
    accessKeyId: given.AccessKeyId,
    secretAccessKey: given.SecretKey,
    sessionToken: given.SessionToken,
    service: "execute-api",
    region: hosted.region,
  });
  return { client, until: given.Expiration * 1000 - session.ahead };
}

// biome-ignore lint/suspicious/noExplicitAny: the two answers of Cognito have different members
async function ask(hosted: Hosted, session: Session, action: string, body: object): Promise<any> {
  const answer = await fetch(hosted.identities, {
    method: "POST",
    headers: { "Content-Type": "application/x-amz-json-1.1", "X-Amz-Target": `AWSCognitoIdentityService.${action}` },
    body: JSON.stringify(body),
    credentials: "omit",
    redirect: "error",
    signal: AbortSignal.timeout(LONGEST),
  });
  const content = await answer.json();
  if (answer.ok) return content;
  if (!String(content.__type).endsWith("NotAuthorizedException"))
    throw new Refusal("no_credentials", content.message ?? "Cognito gave no credentials.", "Try again.");
  // The token has expired or was revoked, or an administrator has removed or disabled the user. Another tab may have a
  // newer session.
  if (currentSession()?.token === session.token) endSession();
  throw new Refusal("signed_out", "Your session has ended.", AGAIN);
}
