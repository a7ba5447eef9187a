// Reads the differences between two versions of the configuration.

import { useEffect, useState } from "preact/hooks";
import type { Differences } from "./config_contract.ts";
import { type Refusal, read, refusalOf } from "./server.ts";

/** Returns null until they are loaded. */
export function useDifferences(from: number, to: number): { differences: Differences | null; error: Refusal | null } {
  const [differences, setDifferences] = useState<Differences | null>(null);
  const [error, setError] = useState<Refusal | null>(null);
  useEffect(() => {
    let isOver = false;
    setDifferences(null);
    setError(null);
    read<{ differences: Differences }>("config/difference", { from: String(from), to: String(to) }).then(
      (found) => isOver || setDifferences(found.differences),
      (cause) => isOver || setError(refusalOf(cause)),
    );
    return () => {
      isOver = true;
    };
  }, [from, to]);
  return { differences, error };
}
