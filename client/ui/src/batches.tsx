// Actions on many jobs. The page's server carries them out, so that they go on when the tab is closed. On the
// hosted page, this tab carries them out (direct_batches.ts).

import { useCallback, useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import { DONE, latestAttempt, type Undo, undoing, VERBS, type Verb } from "./actions.ts";
import type { Batch, Job } from "./contract.ts";
import type { Note, Notes } from "./notes.tsx";
import { change, read } from "./server.ts";
import { plural } from "./words.ts";

/** Milliseconds between two looks at a running action; it is on this machine. */
const PAUSE = 400;

export interface Batches {
  running: readonly Batch[];
  start: (verb: Verb, jobs: readonly Job[], priority?: number) => Promise<void>;
  stop: (id: string) => void;
}

export function useBatches(notes: Notes, look: () => void): Batches {
  const [running, setRunning] = useState<readonly Batch[]>([]);
  const looking = useRef(look);
  looking.current = look;

  /** Shows the progress of an action to its end. `before` are its jobs as they were, if this tab has started it. */
  const followToEnd = useCallback(async (batch: Batch, before: readonly Job[]): Promise<void> => {
    let seen = batch;
    try {
      while (!seen.is_over) {
        const shown = seen;
        setRunning((all) => [...all.filter((one) => one.id !== shown.id), shown]);
        await new Promise((later) => setTimeout(later, PAUSE));
        seen = await read<Batch>(`batches/${seen.id}`);
      }
      tellEnd(seen, notes, wayBack(seen, before));
    } catch (cause) {
      notes.refuse(VERBS[seen.verb].label, cause);
    }
    setRunning((all) => all.filter((one) => one.id !== seen.id));
    looking.current();
  }, []);

  const begin = useCallback(async (verb: Verb, jobs: readonly Job[], priority?: number): Promise<void> => {
    const names = jobs.map((job) => job.name);
    const attempts = Object.fromEntries(jobs.map((job) => [job.name, latestAttempt(job)]));
    const more = { ...(priority !== undefined && { priority }), ...(verb === "requeue" && { attempts }) };
    try {
      const batch = await change<Batch>("batches", { verb, names, ...more });
      void followToEnd(batch, jobs);
    } catch (cause) {
      notes.refuse(VERBS[verb].label, cause);
    }
  }, []);

  /** Returns the button that undoes what an action changed; null if nothing does. */
  function wayBack(batch: Batch, before: readonly Job[]): Note["way"] {
    const changed = new Set(batch.changed);
    const groups = new Map<string, { undo: Undo; jobs: Job[] }>();
    for (const job of before) {
      const undo = changed.has(job.name) ? undoing(batch.verb, job) : null;
      if (!undo) continue;
      const key = `${undo.verb} ${undo.priority}`;
      groups.set(key, { undo, jobs: [...(groups.get(key)?.jobs ?? []), job] });
    }
    const [first] = groups.values();
    if (!first) return null;
    function take(): void {
      for (const { undo, jobs } of groups.values()) void begin(undo.verb, jobs, undo.priority);
    }
    return { label: first.undo.label, take };
  }

  useEffect(() => {
    read<{ batches: Batch[] }>("batches").then(
      ({ batches }) => {
        for (const batch of batches) if (!batch.is_over) void followToEnd(batch, []);
      },
      () => {}, // the page's other calls show the error
    );
  }, []);

  function stop(id: string): void {
    change(`batches/${id}/stop`).catch((cause) => notes.refuse("Stop", cause));
  }
  return { running, start: begin, stop };
}

function tellEnd(batch: Batch, notes: Notes, way: Note["way"]): void {
  const changed = batch.changed.length;
  const count = changed === batch.total ? plural(changed, "job") : `${changed} of ${plural(batch.total, "job")}`;
  const value = batch.verb === "priority" ? ` ${batch.priority}` : "";
  if (changed || !batch.refused.length) notes.tell(`${count} ${DONE[batch.verb]}${value}`, way);
  const [first, ...others] = batch.refused;
  if (first) {
    const more = others.length ? ` (and ${plural(others.length, "further job")})` : "";
    notes.refuse(`${first.name}${more}`, new Error(first.message));
  }
  if (batch.error) notes.refuse(VERBS[batch.verb].label, new Error(batch.error));
}

export function BatchProgress({ batches, isHosted }: { batches: Batches; isHosted: boolean }) {
  const mustStay = isHosted && batches.running.length > 0;
  // A layout effect ends as soon as the component is removed, so that a sign-out asks nothing.
  useLayoutEffect(() => {
    if (!mustStay) return;
    const askFirst = (event: Event) => event.preventDefault();
    addEventListener("beforeunload", askFirst);
    return () => removeEventListener("beforeunload", askFirst);
  }, [mustStay]);
  if (!batches.running.length) return null;
  return (
    <section class="batches" aria-label="Bulk actions">
      {batches.running.map((batch) => (
        <p key={batch.id}>
          <progress aria-label={VERBS[batch.verb].label} max={batch.total} value={handled(batch)} />
          <span>
            {VERBS[batch.verb].label.replace("…", "")}: {handled(batch)} of {plural(batch.total, "job")}
            {batch.is_stopping && ", stops after the current call"}
          </span>
          <span class="quiet">{isHosted ? "Keep this tab open." : "It goes on if you close this tab."}</span>
          <button type="button" aria-disabled={batch.is_stopping} onClick={() => batches.stop(batch.id)}>
            Stop
          </button>
        </p>
      ))}
    </section>
  );
}

function handled(batch: Batch): number {
  return batch.changed.length + batch.refused.length;
}
