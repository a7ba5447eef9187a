// The shown view: the part of the address after #.

import { useLayoutEffect, useState } from "preact/hooks";

export const VIEWS = {
  now: "Now",
  capacity: "Capacity",
  teams: "Teams",
  spending: "Spending",
  history: "History",
  guardrails: "Guardrails",
} as const;
export type View = keyof typeof VIEWS | "job";

export interface Route {
  view: View;
  job: string;
}

export function useRoute(): Route {
  const [route, setRoute] = useState(routeOf(location.hash));
  // Before anything else can happen: a change right after the first read of the address would be missed.
  useLayoutEffect(() => {
    const follow = () => setRoute(routeOf(location.hash));
    addEventListener("hashchange", follow);
    return () => removeEventListener("hashchange", follow);
  }, []);
  return route;
}

export function linkTo(job: string): string {
  return `#/job/${encodeURIComponent(job)}`;
}

function routeOf(hash: string): Route {
  const [, view = "now", name = ""] = hash.split("/");
  if (view === "job") return { view, job: decodeURIComponent(name) };
  return { view: view in VIEWS ? (view as View) : "now", job: "" };
}
