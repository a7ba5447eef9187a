// The list of jobs, page by page: visible pages are updated, other pages stay as they were.

import { useMemo, useRef } from "preact/hooks";
import type { Job, Listing } from "./contract.ts";
import { type Polled, usePolled } from "./polling.ts";
import { read } from "./server.ts";

export const PAGE = 200;

export interface Jobs extends Omit<Polled<Job[]>, "value"> {
  jobs: Job[] | null;
  hasMore: boolean;
  /** The rows on screen; a page is read when its rows become visible. */
  show: (first: number, last: number) => void;
}

export interface JobFilter {
  state: string;
  name: string;
  team: string;
}

const NONE: Listing[] = [];

export function useJobs(filter: JobFilter): Jobs {
  const about = JSON.stringify(filter);
  const sight = useRef({ first: 0, last: 0 });

  async function load(): Promise<{ about: string; pages: Listing[] }> {
    return { about, pages: await readPages(filter, known, sight.current) };
  }

  const { value, error, look } = usePolled(load, about);
  const known = value?.about === about ? value.pages : NONE; // a late value may be about an earlier filter
  const jobs = useMemo(() => (known.length ? withoutDoubles(known) : null), [known]);
  const hasMore = Boolean(known.at(-1)?.next);

  function show(first: number, last: number): void {
    sight.current = { first, last };
    if (jobs && hasMore && last >= jobs.length - 1) look();
  }

  return { jobs, hasMore, error, look, show };
}

/** Reads the first page, the visible pages and the page after them; other known pages stay as they were. */
async function readPages(
  filter: JobFilter,
  known: readonly Listing[],
  sight: { first: number; last: number },
): Promise<Listing[]> {
  const query = { ...filter, state: filter.state || null };
  const fresh = [await read<Listing>("jobs", query)];
  const wanted = Math.floor(sight.last / PAGE) + 1;
  for (let index = 1; index < Math.max(known.length, wanted + 1); index++) {
    const token = fresh[index - 1]?.next;
    if (!token) break;
    const isInSight = index >= Math.floor(sight.first / PAGE) && index <= wanted;
    const old = known[index];
    fresh.push(old && !isInSight ? old : await read<Listing>("jobs", { ...query, next: token }));
  }
  return fresh;
}

/** Removes duplicates: a job that moved up between two calls is on two pages, and the first counts. */
function withoutDoubles(pages: readonly Listing[]): Job[] {
  const byName = new Map<string, Job>();
  for (const page of pages) {
    for (const job of page.jobs) if (!byName.has(job.name)) byName.set(job.name, job);
  }
  return [...byName.values()];
}
