// Who is signed in at the hosted page: the name, the way out, and the note that the session has ended.

import { render } from "preact";
import { useEffect, useState } from "preact/hooks";
import type { Hosted, SignedIn } from "./hosted.ts";
import { currentSession, isSignedOut, onOtherTabs, type Session } from "./session.ts";
import { signedOutAddress, signIn, signOut } from "./signing_in.ts";

/** Milliseconds between two looks at the session. */
const PAUSE = 1000;

/** Returns the person's session, also when another tab begins or ends it. After a sign-out, the tab leaves the page. */
function useSession(person: string): Session | null {
  const [session, setSession] = useState(currentSession);
  useEffect(() => {
    const look = () => {
      const now = currentSession();
      if (isSignedOut()) leave(() => location.replace(signedOutAddress()));
      // Until then, signed_calls.ts refuses this person's calls.
      if (now && now.person !== person) leave(() => location.reload());
      setSession((before) => (before?.token === now?.token ? before : now));
    };
    const timer = window.setInterval(look, PAUSE);
    const unhear = onOtherTabs(look);
    return () => {
      clearInterval(timer);
      unhear();
    };
  }, [person]);
  return session?.person === person ? session : null;
}

/** Removes all data from the screen at once, and leaves the page. */
function leave(to: () => void): void {
  render(null, document.body); // also ends the timers above, one of which could interrupt the navigation
  to();
}

export function Account({ hosted, person }: SignedIn) {
  const session = useSession(person);
  if (!session) return null;
  return (
    <>
      <span class="quiet me" title={session.person}>
        {session.name}
      </span>
      <button type="button" onClick={() => leave(() => signOut(hosted))}>
        Sign out
      </button>
    </>
  );
}

/** Above the view, whose forms stay as they are: the new tab signs in for this one, too. */
export function Ended({ person }: { person: string }) {
  if (useSession(person)) return null;
  return (
    <p class="trouble" role="alert">
      <strong>Your session has ended.</strong>{" "}
      <a href={location.href} target="_blank" rel="noopener noreferrer">
        Sign in in a new tab
      </a>
      , then return here. Your entries stay.
    </p>
  );
}

/** Instead of the page, before anybody has signed in. */
export function SignedOut({ hosted, problem }: { hosted: Hosted; problem: string }) {
  return (
    <main class="signed-out">
      <h1>SageQueue</h1>
      {problem && (
        <p class="trouble" role="alert">
          <strong>The sign-in failed.</strong> {problem}
        </p>
      )}
      <button type="button" onClick={() => signIn(hosted)}>
        Sign in
      </button>
    </main>
  );
}
