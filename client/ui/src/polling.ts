// Keeps the shown values up to date: often while they change, rarely otherwise, never while the page is hidden.

import { useCallback, useEffect, useRef, useState } from "preact/hooks";
import { type Freshness, follow } from "./freshness.ts";
import { type Refusal, refusalOf } from "./server.ts";

const SOONEST = 1500;
/** Below the age at which what is shown counts as late. */
const LATEST = 8000;
const LATEST_AFTER_ERRORS = 60_000;

export interface Polled<T> {
  value: T | null;
  error: Refusal | null;
  /** Loads again at once, after an action. */
  look: () => void;
}

/** Returns the latest value of `load`, which is called repeatedly; when `about` changes, it starts again. */
export function usePolled<T>(load: () => Promise<T>, about: string, latest = LATEST): Polled<T> {
  const [value, setValue] = useState<T | null>(null);
  const [error, setError] = useState<Refusal | null>(null);
  const loading = useRef(load);
  loading.current = load;
  const lookNow = useRef(() => {});

  useEffect(() => {
    let timer = 0;
    let pause = SOONEST;
    let seen = "";
    let isOver = false;
    let round = 0;
    const freshness: Freshness = { updated: Date.now(), hasAnswered: false, isRefused: false };
    const unfollow = latest > LATEST ? () => {} : follow(freshness);

    async function look(): Promise<void> {
      clearTimeout(timer);
      const mine = ++round;
      try {
        const found = await loading.current();
        if (isOver || mine !== round) return;
        const text = JSON.stringify(found);
        pause = text === seen ? Math.min(pause * 1.4, latest) : SOONEST;
        if (text !== seen) setValue(found);
        seen = text;
        setError(null);
        Object.assign(freshness, { updated: Date.now(), hasAnswered: true, isRefused: false });
      } catch (cause) {
        if (isOver || mine !== round) return;
        setError(refusalOf(cause));
        freshness.isRefused = true;
        pause = Math.min(pause * 2, LATEST_AFTER_ERRORS);
      }
      if (!document.hidden) timer = window.setTimeout(look, pause);
    }

    function lookAgain(): void {
      pause = SOONEST;
      if (!document.hidden) void look();
    }

    setValue(null);
    setError(null);
    lookNow.current = lookAgain;
    document.addEventListener("visibilitychange", lookAgain);
    addEventListener("storage", lookAgain); // another tab may have signed in
    void look();
    return () => {
      isOver = true;
      clearTimeout(timer);
      unfollow();
      document.removeEventListener("visibilitychange", lookAgain);
      removeEventListener("storage", lookAgain);
    };
  }, [about, latest]);

  return { value, error, look: useCallback(() => lookNow.current(), []) };
}
