// Who is signed in at the hosted page: the name, the way out, and the note that the session has ended.

import { useEffect, useState } from "preact/hooks";
import type { Hosted } from "./hosted.ts";
import { currentSession, onOtherTabs, type Session } from "./session.ts";
import { signIn, signOut } from "./signing_in.ts";

/** Milliseconds between two looks at the session. */
const PAUSE = 1000;

/** Returns the session, also when another tab begins or ends it. Another person's session loads the page again. */
function useSession(): Session | null {
  const [session, setSession] = useState(currentSession);
  useEffect(() => {
    const person = currentSession()?.person;
    const look = () => {
      const now = currentSession();
      if (now && person && now.person !== person) location.reload(); // nothing of one person is sent as another
      setSession((before) => (before?.token === now?.token ? before : now));
    };
    const timer = window.setInterval(look, PAUSE);
    const unhear = onOtherTabs(look);
    return () => {
      clearInterval(timer);
      unhear();
    };
  }, []);
  return session;
}

export function Account({ hosted }: { hosted: Hosted }) {
  const session = useSession();
  if (!session) return null;
  return (
    <>
      <span class="quiet me" title={session.person}>
        {session.name}
      </span>
      <button type="button" onClick={() => signOut(hosted)}>
        Sign out
      </button>
    </>
  );
}

/** Above the view, whose forms stay as they are: the new tab signs in for this one, too. */
export function Ended() {
  if (useSession()) return null;
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
