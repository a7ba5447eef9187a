// The session of the person who signed in. All tabs of this browser share it; it lasts an hour at most.

const KEY = "session";

export interface Session {
  /** What the identity pool gives credentials for. */
  token: string;
  /** The person's id in the user pool. */
  person: string;
  /** The name to show. The queue knows the id only. */
  name: string;
  /** The time at which the token expires, by this machine's clock. */
  expires: number;
  /** Milliseconds by which AWS's clock is ahead of this machine's. */
  ahead: number;
}

/** Returns the current session; null if nobody is signed in, or no longer. */
export function currentSession(): Session | null {
  const found = JSON.parse(localStorage.getItem(KEY) ?? "null") as Session | null;
  return found && found.expires > Date.now() ? found : null;
}

export function keepSession(session: Session): void {
  localStorage.setItem(KEY, JSON.stringify(session));
}

/** Ends the session, as if it had expired: the forms in all tabs keep their contents for the person's next session. */
export function endSession(): void {
  const ended = JSON.parse(localStorage.getItem(KEY) ?? "null") as Session | null;
  if (ended) keepSession({ ...ended, token: "", expires: 0 });
}

/** Forgets the session: all tabs then leave the page, because the person may leave the machine. */
export function forgetSession(): void {
  localStorage.removeItem(KEY);
}

/** Returns whether the person signed out, and nobody has signed in since. */
export function isSignedOut(): boolean {
  return localStorage.getItem(KEY) === null;
}

/** Calls `changed` when another tab signs in or out, and when the browser shows a page again that it had left. */
export function onOtherTabs(changed: () => void): () => void {
  const hear = (event: StorageEvent) => {
    if (event.key === KEY || event.key === null) changed();
  };
  addEventListener("storage", hear);
  addEventListener("pageshow", changed);
  return () => {
    removeEventListener("storage", hear);
    removeEventListener("pageshow", changed);
  };
}
