// How old the shown values are. Each polled value of the shown view is followed; the oldest counts.

import { useEffect, useState } from "preact/hooks";

export interface Freshness {
  /** The time of the last value; before the first one, of the first call. */
  updated: number;
  hasAnswered: boolean;
  /** The last call was refused or failed: the view shows the error. */
  isRefused: boolean;
}

/** Milliseconds after which values count as late, and their ages stop. */
export const LATE = 10_000;
/** Milliseconds after which the page says that the queue does not answer. */
export const HUNG = 20_000;

const followed = new Set<Freshness>();
let visibleSince = 0;

document.addEventListener("visibilitychange", () => {
  visibleSince = Date.now(); // a hidden page asks nothing, and is not late when it is shown again
});

/** Counts the value as shown until the returned function is called. */
export function follow(one: Freshness): () => void {
  followed.add(one);
  return () => followed.delete(one);
}

/** Returns the oldest of the shown values. A value that was refused from the beginning is not shown, so it has no age. */
export function oldest(): Freshness | null {
  return oldestOf((one) => one.hasAnswered || !one.isRefused);
}

/** Returns the oldest of the values that the queue has not refused: a refusal is an answer. */
export function oldestUnrefused(): Freshness | null {
  return oldestOf((one) => !one.isRefused);
}

function oldestOf(counts: (one: Freshness) => boolean): Freshness | null {
  const all = [...followed].filter(counts).sort((one, other) => one.updated - other.updated);
  return all[0] ?? null;
}

/** Returns the age of what is shown, in milliseconds. */
export function ageOf(one: Freshness, now: number): number {
  return now - Math.max(one.updated, visibleSince);
}

/** Returns the time, updated every `every` milliseconds; it stops while what is shown is late. */
export function useNow(every = 1000): number {
  const [now, setNow] = useState(Date.now());
  useEffect(() => {
    const timer = window.setInterval(() => setNow(freshNow), every);
    return () => clearInterval(timer);
  }, [every]);
  return now;
}

/** Returns the time of the clock, also while what is shown is late. */
export function useClock(): number {
  const [now, setNow] = useState(Date.now());
  useEffect(() => {
    const timer = window.setInterval(() => setNow(Date.now()), 1000);
    return () => clearInterval(timer);
  }, []);
  return now;
}

function freshNow(): number {
  const last = oldest();
  const now = Date.now();
  return last?.hasAnswered ? Math.min(now, last.updated + LATE) : now;
}
