// Actions on many jobs on the hosted page. This tab carries them out, so they end when it is closed.

import type { Batch } from "./contract.ts";
import type { Call } from "./direct_calls.ts";
import { Refusal, refusalOf } from "./refusal.ts";

/** Jobs in one call. An action can stop only between two calls. */
const AT_ONCE = 20;

interface Wanted {
  verb: Batch["verb"];
  names: string[];
  priority?: number;
  attempts?: Record<string, number>;
}

interface Changed {
  changed: string[];
  refused: { name: string; message: string }[];
}

export function directBatches(call: Call) {
  const all = new Map<string, Batch>();

  return async (method: string, id: string, verb: string, body: string | null): Promise<unknown> => {
    if (method === "GET" && !id) return { batches: [...all.values()] };
    if (!id) return start(JSON.parse(body ?? "{}"));
    const batch = all.get(id);
    if (!batch) throw new Refusal("unknown_batch", "This tab does not know the action.", "Reload the page.");
    if (verb === "stop") batch.is_stopping = !batch.is_over;
    return { ...batch };
  };

  function start(wanted: Wanted): Batch {
    // Each job moves ahead of the jobs moved before it, so reversing the names keeps their order.
    const names = wanted.verb === "top" ? [...wanted.names].reverse() : wanted.names;
    const batch: Batch = {
      id: crypto.randomUUID(),
      verb: wanted.verb,
      priority: wanted.priority ?? null,
      total: names.length,
      changed: [],
      refused: [],
      error: null,
      is_stopping: false,
      is_over: false,
    };
    all.set(batch.id, batch);
    void run(batch, names, wanted);
    return { ...batch };
  }

  async function run(batch: Batch, names: string[], wanted: Wanted): Promise<void> {
    try {
      let left = names;
      while (left.length && !batch.is_stopping) {
        const done = await changeNext(left.slice(0, AT_ONCE), wanted);
        batch.changed = [...batch.changed, ...done.changed];
        batch.refused = [...batch.refused, ...done.refused];
        left = left.slice(done.changed.length + done.refused.length);
      }
    } catch (cause) {
      const { message, remedy } = refusalOf(cause);
      batch.error = `${message} ${remedy}`;
    }
    batch.is_stopping = false;
    batch.is_over = true;
  }

  async function changeNext(names: string[], { verb, priority, attempts }: Wanted): Promise<Changed> {
    const numbers = attempts && Object.fromEntries(names.map((name) => [name, attempts[name]]));
    const body = { change: verb, names, limit: AT_ONCE, ...(numbers && { attempts: numbers }) };
    return (await call(
      "POST",
      "/change-jobs",
      JSON.stringify({ ...body, ...(priority !== undefined && { priority }) }),
    )) as Changed;
  }
}
