// Begins the hosted page: finishes a sign-in, or starts one.

import { directCalls } from "./direct_calls.ts";
import type { Hosted, SignedIn } from "./hosted.ts";
import { callThrough } from "./server.ts";
import { currentSession } from "./session.ts";
import { signedCalls } from "./signed_calls.ts";
import { errorWithoutState, finishSigningIn, signIn } from "./signing_in.ts";

/** What to show: the page, nothing while the browser leaves for the sign-in page, or why nobody is signed in. */
export type Beginning =
  | { shows: "page"; signedIn: SignedIn }
  | { shows: "nothing" }
  | { shows: "signed-out"; problem: string };

export async function beginHosted(hosted: Hosted): Promise<Beginning> {
  try {
    await finishSigningIn(hosted);
  } catch (cause) {
    return { shows: "signed-out", problem: cause instanceof Error ? cause.message : String(cause) };
  }
  const person = currentSession()?.person;
  if (person) {
    callThrough(directCalls(signedCalls(hosted, person)));
    return { shows: "page", signedIn: { hosted, person } };
  }
  const problem = errorWithoutState(); // asking again at once would repeat it without end
  if (problem || new URL(location.href).searchParams.has("signed-out")) return { shows: "signed-out", problem };
  await signIn(hosted);
  return { shows: "nothing" };
}
