// Keeps the shown values up to date: often while they change, rarely otherwise, never while the page is hidden.

import { useCallback, useEffect, useRef, useState } from "preact/hooks";
import { Refusal } from "./server.ts";

const SOONEST = 1500;
const LATEST = 15_000;
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
      } catch (cause) {
        if (isOver || mine !== round) return;
        setError(cause instanceof Refusal ? cause : new Refusal("unexpected", String(cause), "Reload the page."));
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
    void look();
    return () => {
      isOver = true;
      clearTimeout(timer);
      document.removeEventListener("visibilitychange", lookAgain);
    };
  }, [about, latest]);

  return { value, error, look: useCallback(() => lookNow.current(), []) };
}

/** Returns the time, updated every `every` milliseconds. */
export function useNow(every = 1000): number {
  const [now, setNow] = useState(Date.now());
  useEffect(() => {
    const timer = window.setInterval(() => setNow(Date.now()), every);
    return () => clearInterval(timer);
  }, [every]);
  return now;
}
