// The shown view and its filters: the part of the address after #.

import { useLayoutEffect, useState } from "preact/hooks";

export const VIEWS = {
  now: "Now",
  submit: "Submit",
  capacity: "Capacity",
  teams: "Teams",
  spending: "Spending",
  history: "History",
  guardrails: "Guardrails",
  configuration: "Configuration",
} as const;
export type View = keyof typeof VIEWS | "job";

export interface Route {
  view: View;
  job: string;
  /** Of the configuration: the kind of section that a link names. */
  kind: string;
}

export function useRoute(): Route {
  return routeOf(useHash());
}

/** Returns what the view's filters are set to in the address, and a function that changes some of them. */
export function useQuery(): [URLSearchParams, (changes: Record<string, string>) => void] {
  const [path = "", text = ""] = useHash().split("?");
  return [new URLSearchParams(text), (changes) => replaceQuery(path, changes)];
}

export function linkTo(job: string): string {
  return `#/job/${encodeURIComponent(job)}`;
}

/** A new job with the request of this one. */
export function linkToCopy(job: string): string {
  return `#/submit?from=${encodeURIComponent(job)}`;
}

export function linkToSection(kind: string): string {
  return `#/configuration/${kind}`;
}

function useHash(): string {
  const [hash, setHash] = useState(location.hash);
  // Before anything else can happen: a change right after the first read of the address would be missed.
  useLayoutEffect(() => {
    const follow = () => setHash(location.hash);
    addEventListener("hashchange", follow);
    return () => removeEventListener("hashchange", follow);
  }, []);
  return hash;
}

function routeOf(hash: string): Route {
  const [path = ""] = hash.split("?");
  const [, view = "now", name = ""] = path.split("/");
  if (view === "job") return { view, job: decodeURIComponent(name), kind: "" };
  return { view: view in VIEWS ? (view as View) : "now", job: "", kind: name };
}

/** Replaces the address: a step of the browser's history for each typed letter would make its back button useless. */
function replaceQuery(path: string, changes: Record<string, string>): void {
  const [, text = ""] = location.hash.split("?");
  const query = new URLSearchParams(text);
  for (const [name, value] of Object.entries(changes)) value ? query.set(name, value) : query.delete(name);
  history.replaceState(null, "", query.size ? `${path || "#/now"}?${query}` : path || "#/now");
  dispatchEvent(new HashChangeEvent("hashchange"));
}
