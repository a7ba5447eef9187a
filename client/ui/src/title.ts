// The title of the window: the view and its counts, so that tabs can be told apart.

import { useEffect } from "preact/hooks";
import type { Queue } from "./contract.ts";
import { type Route, VIEWS } from "./route.ts";

export function useTitle(text: string | null): void {
  useEffect(() => {
    if (text !== null) document.title = `${text} – SageQueue`;
  }, [text]);
}

/** Returns the title of a view; null for a job, whose view knows its state. */
export function titleOf(route: Route, queue: Queue | null): string | null {
  if (route.view === "job") return null;
  const view = VIEWS[route.view];
  return queue ? `${view}: ${queue.live} running, ${queue.queued} waiting` : view;
}
