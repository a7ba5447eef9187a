// The list of jobs, page by page: visible pages are updated, other pages stay as they were. A sorted list is read whole.

import { useEffect, useMemo, useRef } from "preact/hooks";
import type { Job, Listing } from "./contract.ts";
import { type Polled, usePolled } from "./polling.ts";
import { read } from "./server.ts";

export const PAGE = 200;
/** Of a list that is read whole: to be sorted, saved as a file, or acted on. */
const MOST_PAGES = 50;

export interface Jobs extends Omit<Polled<Job[]>, "value"> {
  jobs: Job[] | null;
  hasMore: boolean;
  /** The rows on screen; a page is read when its rows become visible. */
  show: (first: number, last: number) => void;
}

export interface JobFilter {
  state: string;
  name: string;
  owner: string;
  mine: string;
  team: string;
  array: string;
  /** "false": the list leaves out the jobs of arrays. */
  children: string;
}

const NONE: Listing[] = [];

/** Reads the list as its rows become visible, or whole, and then one further page of it with each look. */
export function useJobs(filter: JobFilter, isWhole: boolean): Jobs {
  const about = JSON.stringify(filter);
  const sight = useRef({ first: 0, last: 0 });
  const turn = useRef(0);

  function inSight(): { first: number; last: number } {
    if (!isWhole) return sight.current;
    const first = (++turn.current % Math.max(1, known.length)) * PAGE;
    return { first, last: first };
  }

  async function load(): Promise<{ about: string; pages: Listing[] }> {
    return { about, pages: await readPages(filter, known, inSight(), isWhole ? MOST_PAGES : 0) };
  }

  const { value, error, look } = usePolled(load, about);
  const known = value?.about === about ? value.pages : NONE; // a late value may be about an earlier filter
  const jobs = useMemo(() => (known.length ? withoutDoubles(known) : null), [known]);
  const hasMore = Boolean(known.at(-1)?.next);
  useEffect(() => {
    if (isWhole) look();
  }, [isWhole]);

  function show(first: number, last: number): void {
    sight.current = { first, last };
    if (jobs && hasMore && !isWhole && last >= jobs.length - 1) look();
  }

  return { jobs, hasMore, error, look, show };
}

/** Reads all jobs that match, up to the first 10,000. */
export async function readAll(filter: JobFilter): Promise<Job[]> {
  return withoutDoubles(await readPages(filter, NONE, { first: 0, last: 0 }, MOST_PAGES));
}

/** Reads the first page, the visible pages, the page after them, and unknown pages below `least`; others stay. */
async function readPages(
  filter: JobFilter,
  known: readonly Listing[],
  sight: { first: number; last: number },
  least: number,
): Promise<Listing[]> {
  const query = { ...filter };
  const fresh = [await read<Listing>("jobs", query)];
  const wanted = Math.floor(sight.last / PAGE) + 1;
  for (let index = 1; index < Math.max(known.length, wanted + 1, least); index++) {
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
