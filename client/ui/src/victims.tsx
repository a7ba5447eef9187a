// What a change of priorities would do at once: which jobs would be stopped, and which would start.

import { useEffect, useState } from "preact/hooks";
import type { Job, Victims } from "./contract.ts";
import { change, type Refusal, refusalOf } from "./server.ts";
import { plural } from "./words.ts";

/** Milliseconds without a further digit before the queue is asked. */
const PAUSE = 300;
const MOST_NAMED = 10;

export function Forecast({ jobs, priority }: { jobs: readonly Job[]; priority: string }) {
  const [found, setFound] = useState<{ priority: string; victims: Victims } | null>(null);
  const [error, setError] = useState<Refusal | null>(null);
  useEffect(() => {
    if (!/^-?\d+$/.test(priority)) return;
    let isOver = false;
    setError(null);
    const names = jobs.map((job) => job.name);
    const timer = setTimeout(() => {
      change<Victims>("what-if-priority", { names, priority: Number(priority) }).then(
        (victims) => isOver || setFound({ priority, victims }),
        (cause) => isOver || setError(refusalOf(cause)),
      );
    }, PAUSE);
    return () => {
      isOver = true;
      clearTimeout(timer);
    };
  }, [priority]);
  return (
    <p class="forecast" aria-live="polite">
      {error ? (
        <span class="quiet">The effect is not known: {error.message}</span>
      ) : found?.priority === priority ? (
        <Effect victims={found.victims} />
      ) : (
        <span class="quiet">Asking the queue what would happen …</span>
      )}
    </p>
  );
}

function Effect({ victims }: { victims: Victims }) {
  const { preempts, starts_now } = victims;
  const starts =
    starts_now.length > 0 && ` ${plural(starts_now.length, "of these jobs starts", "of these jobs start")} now.`;
  if (!preempts.length) return <span>No running job would be stopped at once.{starts}</span>;
  return (
    <strong class="caution">
      Stops {preempts.slice(0, MOST_NAMED).join(", ")}
      {preempts.length > MOST_NAMED && ` and ${plural(preempts.length - MOST_NAMED, "further job")}`} at once.{starts}
    </strong>
  );
}
