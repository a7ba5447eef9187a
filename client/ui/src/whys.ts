// The expected starts of the next jobs. Each costs a call, so only the first jobs are asked for, when their position has
// changed or after a while.

import { useEffect, useRef, useState } from "preact/hooks";
import { type Explanation, type Job, QUEUED } from "./contract.ts";
import { ofJob, read } from "./server.ts";

const MOST = 8;
const FRESH = 60_000;

export type Whys = ReadonlyMap<string, Explanation>;

export function useWhys(jobs: readonly Job[] | null): Whys {
  const [whys, setWhys] = useState<Whys>(new Map());
  const asked = useRef(new Map<string, { place: string; at: number }>());

  useEffect(() => {
    for (const job of (jobs ?? []).filter((one) => QUEUED.has(one.state)).slice(0, MOST)) {
      const place = `${job.position} ${job.reason.code} ${job.priority}`;
      const last = asked.current.get(job.name);
      if (last && last.place === place && Date.now() - last.at < FRESH) continue;
      asked.current.set(job.name, { place, at: Date.now() });
      read<Explanation>(ofJob(job.name, "why")).then(
        (why) => setWhys((before) => new Map([...before, [job.name, why]])),
        () => asked.current.delete(job.name), // the next call shows the error
      );
    }
  }, [jobs]);

  return whys;
}
