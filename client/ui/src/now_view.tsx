// The view of the present: running and waiting jobs, and actions on them.

import { useState } from "preact/hooks";
import { type Acting, ActionBar, useActing } from "./acting.tsx";
import { VERBS, type Verb } from "./actions.ts";
import type { Job, Listing, Queue } from "./contract.ts";
import { JobTable } from "./job_table.tsx";
import { LaneChart } from "./lane_chart.tsx";
import { useJobs } from "./listing.ts";
import { useNow, usePolled } from "./polling.ts";
import { read } from "./server.ts";
import { Trouble } from "./trouble.tsx";
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
  const [filter, setFilter] = useState({ state: "", name: "", team: "" });
  const list = useJobs(filter);
  const isFiltered = Boolean(filter.state || filter.name || filter.team);
  const live = usePolled(() => livePage(isFiltered), String(isFiltered));
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set());
  const lookAtAll = () => {
    list.look();
    live.look();
    acting.look();
  };
  const { ask, dialog } = useActing({ ...acting, look: lookAtAll });
  const jobs = list.jobs ?? [];
  const whys = useWhys(list.jobs);
  const teams = Object.keys(queue?.teams ?? {});
  const chosen = jobs.filter((job) => selected.has(job.name));

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
      <section class="jobs" aria-labelledby="jobs-title">
        <header class="section-head">
          <h2 id="jobs-title">Jobs</h2>
          <label>
            <span class="unseen">Show</span>
            <select
              value={filter.state}
              onChange={(event) => setFilter({ ...filter, state: event.currentTarget.value })}
            >
              {Object.entries(FILTERS).map(([state, label]) => (
                <option key={state} value={state}>
                  {label}
                </option>
              ))}
            </select>
          </label>
          <input
            type="search"
            placeholder="Name begins with …"
            aria-label="Name begins with"
            value={filter.name}
            onChange={(event) => setFilter({ ...filter, name: event.currentTarget.value.trim() })}
          />
          {teams.length > 0 && (
            <label>
              <span class="unseen">Team</span>
              <select
                value={filter.team}
                onChange={(event) => setFilter({ ...filter, team: event.currentTarget.value })}
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
          <span class="grow" />
          <span class="quiet" aria-live="polite">
            {chosen.length ? `${chosen.length} selected` : ""}
          </span>
          <ActionBar jobs={chosen} me={acting.me} verbs={OF_MANY} onAct={ask} />
        </header>
        {list.error && <Trouble error={list.error} />}
        {!jobs.length ? (
          <p class="empty">{list.jobs ? (isFiltered ? "No jobs match." : "The queue has no jobs.") : "Loading …"}</p>
        ) : (
          <JobTable
            jobs={jobs}
            hasMore={list.hasMore}
            whys={whys}
            now={now}
            selection={{ names: selected, toggle, all: (names) => setSelected(new Set(names)) }}
            onSight={list.show}
            onKey={onKey}
          />
        )}
        <p id="table-keys" class="quiet keys">
          In the list: <kbd>↑</kbd> <kbd>↓</kbd> move, <kbd>space</kbd> selects, <kbd>enter</kbd> opens;{" "}
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

/** Returns what the lanes show if the list is filtered: live jobs, the next ones, and recently ended ones. */
async function livePage(isFiltered: boolean): Promise<Listing | null> {
  return isFiltered ? read<Listing>("jobs") : null;
}
