// The view of the present: running and waiting jobs, and actions on them.

import { useMemo, useState } from "preact/hooks";
import { type Acting, ActionBar, useActing } from "./acting.tsx";
import { mayControl, VERBS, type Verb } from "./actions.ts";
import { ArraysSection } from "./arrays_section.tsx";
import { columnsOf, csvOf, sorted } from "./columns.tsx";
import type { Job, JobArray, Listing, Queue } from "./contract.ts";
import { download } from "./downloads.ts";
import { useNow } from "./freshness.ts";
import { JobTable } from "./job_table.tsx";
import { LaneChart } from "./lane_chart.tsx";
import { type JobFilter, readAll, useJobs } from "./listing.ts";
import { usePolled } from "./polling.ts";
import { useQuery } from "./route.ts";
import { searched } from "./searching.ts";
import { read } from "./server.ts";
import { Trouble } from "./trouble.tsx";
import { ViewMenu } from "./view_menu.tsx";
import { useWhys } from "./whys.ts";

const OF_MANY: readonly Verb[] = ["top", "priority", "hold", "release", "requeue", "cancel"];
const FILTERS = {
  "": "all jobs",
  "pending,preempted": "waiting",
  "launching,running,stopping": "running",
  "held,parked": "held or parked",
  "completed,failed,stopped": "ended",
};

export function NowView({ queue, acting }: { queue: Queue | null; acting: Acting }) {
  const now = useNow();
  const [query, setQuery] = useQuery();
  const chosenFilter = filterOf(query);
  const isFiltered = Object.values(chosenFilter).some(Boolean);
  const arrays = usePolled(unfinishedArrays, "");
  const hidesChildren = !isFiltered && Boolean(arrays.value?.length);
  const filter = { ...chosenFilter, children: hidesChildren ? "false" : "" };
  const columns = columnsOf(query.get("columns") ?? "");
  const sort = query.get("sort") ?? "";
  const list = useJobs(filter, Boolean(sort));
  const isPart = isFiltered || hidesChildren;
  const live = usePolled(() => livePage(isPart), String(isPart));
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set());
  const lookAtAll = () => {
    list.look();
    live.look();
    arrays.look();
    acting.look();
  };
  const { ask, dialog, busy } = useActing({ ...acting, look: lookAtAll });
  const jobs = useMemo(() => sorted(list.jobs ?? [], sort), [list.jobs, sort]);
  const whys = useWhys(list.jobs);
  const teams = Object.keys(queue?.teams ?? {});
  const chosen = jobs.filter((job) => selected.has(job.name));

  /** Acts on the selected jobs; without any, on all that match the filters, after a question. */
  async function act(verb: Verb, shown: readonly Job[]): Promise<void> {
    if (chosen.length || !isFiltered) return ask(verb, shown);
    try {
      ask(verb, await readAll(filter), true);
    } catch (cause) {
      acting.notes.refuse(VERBS[verb].label, cause);
    }
  }

  async function saveFile(): Promise<void> {
    try {
      const all = sorted(await readAll(filter), sort);
      download("jobs.csv", csvOf(all, columns, now));
    } catch (cause) {
      acting.notes.refuse("Download as CSV", cause);
    }
  }

  function onKey(key: string, job: Job): boolean {
    const verb = OF_MANY.find((one) => VERBS[one].key === key);
    if (verb) ask(verb, chosen.length ? chosen : [job]);
    return Boolean(verb);
  }

  function toggle(name: string): void {
    setSelected((before) => new Set(before.has(name) ? [...before].filter((one) => one !== name) : [...before, name]));
  }

  return (
    <>
      <h1 class="unseen">Now</h1>
      {queue && <LaneChart budget={queue.budget} jobs={live.value?.jobs ?? jobs} whys={whys} now={now} />}
      <ArraysSection
        arrays={arrays.value ?? []}
        open={filter.array}
        onOpen={(name) => setQuery({ array: name })}
        now={now}
      />
      <section class="jobs" aria-labelledby="jobs-title">
        <header class="section-head">
          <h2 id="jobs-title">{filter.array ? `Jobs of ${filter.array}` : "Jobs"}</h2>
          {filter.array && (
            <button type="button" onClick={() => setQuery({ array: "" })}>
              All jobs
            </button>
          )}
          <label>
            <span class="unseen">Show</span>
            <select value={filter.state} onChange={(event) => setQuery({ state: event.currentTarget.value })}>
              {Object.entries(FILTERS).map(([state, label]) => (
                <option key={state} value={state}>
                  {label}
                </option>
              ))}
            </select>
          </label>
          <input
            type="search"
            placeholder="Name begins with"
            aria-label="Name begins with"
            title="Also team:vision and owner:ada"
            value={query.get("name") ?? ""}
            onInput={(event) => setQuery({ name: event.currentTarget.value })}
          />
          {teams.length > 0 && (
            <label>
              <span class="unseen">Team</span>
              <select
                value={query.get("team") ?? ""}
                onChange={(event) => setQuery({ team: event.currentTarget.value })}
              >
                <option value="">all teams</option>
                {teams.map((team) => (
                  <option key={team} value={team}>
                    {team}
                  </option>
                ))}
              </select>
            </label>
          )}
          <label>
            <input
              type="checkbox"
              checked={filter.mine === "true"}
              onChange={(event) => setQuery({ mine: event.currentTarget.checked ? "true" : "" })}
            />{" "}
            mine
          </label>
          <span class="grow" />
          <span class="quiet" aria-live="polite">
            {chosen.length > 0 && `${chosen.length} selected`}
            {!chosen.length && isFiltered && jobs.length > 0 && mayControl(acting.me) && "for all that match:"}
          </span>
          <ActionBar
            jobs={chosen.length || !isFiltered ? chosen : jobs}
            me={acting.me}
            verbs={OF_MANY}
            busy={busy}
            onAct={(verb, shown) => void act(verb, shown)}
          />
          <ViewMenu
            notifier={acting.notifier}
            columns={columns}
            sort={sort}
            onColumns={(next) => setQuery({ columns: next })}
            onSort={(next) => setQuery({ sort: next })}
            onFile={saveFile}
          />
        </header>
        {list.error && <Trouble error={list.error} />}
        {!jobs.length ? (
          <p class="empty">{list.jobs ? (isFiltered ? "No jobs match." : "The queue has no jobs.") : "Loading …"}</p>
        ) : (
          <JobTable
            jobs={jobs}
            hasMore={list.hasMore}
            columns={columns}
            sort={sort}
            onSort={(next) => setQuery({ sort: next })}
            whys={whys}
            now={now}
            selection={{ names: selected, toggle, all: (names) => setSelected(new Set(names)) }}
            onSight={list.show}
            onKey={onKey}
          />
        )}
        <p id="table-keys" class="quiet keys">
          <kbd>Ctrl</kbd> <kbd>K</kbd> goes to any view or job. In the list: <kbd>↑</kbd> <kbd>↓</kbd> move,{" "}
          <kbd>space</kbd> selects, <kbd>enter</kbd> opens;{" "}
          {OF_MANY.map((verb) => (
            <span key={verb}>
              <kbd>{VERBS[verb].key}</kbd> {VERBS[verb].label.replace("…", "").toLowerCase()}{" "}
            </span>
          ))}
        </p>
      </section>
      {dialog}
    </>
  );
}

/** Returns the filters in the address; the search field may name an owner and a team, too. */
function filterOf(query: URLSearchParams): JobFilter {
  const { name, team, owner } = searched(query.get("name") ?? "");
  return {
    state: query.get("state") ?? "",
    mine: query.get("mine") ?? "",
    name,
    owner,
    team: team || (query.get("team") ?? ""),
    array: query.get("array") ?? "",
    children: "",
  };
}

async function unfinishedArrays(): Promise<JobArray[]> {
  const { arrays } = await read<{ arrays: JobArray[] }>("arrays");
  return arrays.filter((array) => array.state !== "ended");
}

/** Returns what the lanes show if the list is only a part of the queue: live jobs, the next ones, and recently ended ones. */
async function livePage(isPart: boolean): Promise<Listing | null> {
  return isPart ? read<Listing>("jobs") : null;
}
