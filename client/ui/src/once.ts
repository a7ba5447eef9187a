// Loads a value once, and again when what it is about changes.

import { useEffect, useState } from "preact/hooks";
import { type Refusal, refusalOf } from "./server.ts";

/** Returns the value; nothing until it is loaded, even if another one was shown before. */
export function useOnce<T>(load: () => Promise<T>, about: string): { value: T | null; error: Refusal | null } {
  const [value, setValue] = useState<T | null>(null);
  const [error, setError] = useState<Refusal | null>(null);
  useEffect(() => {
    let isOver = false;
    setValue(null);
    setError(null);
    load().then(
      (found) => isOver || setValue(() => found),
      (cause) => isOver || setError(refusalOf(cause)),
    );
    return () => {
      isOver = true;
    };
  }, [about]);
  return { value, error };
}
