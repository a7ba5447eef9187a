// A lane per instance on a time axis: ended and running attempts, and reservations.

import { useState } from "preact/hooks";
import type { BudgetLine, Job } from "./contract.ts";
import {
  type Bar,
  fittingSpan,
  heldInstances,
  keepsInstances,
  laneBars,
  laneReservations,
  latestEnd,
  type Reserved,
  SPANS,
} from "./lanes.ts";
import { useNarrow } from "./narrow.ts";
import { useOneTabStop } from "./one_tab_stop.ts";
import { linkTo } from "./route.ts";
import type { Whys } from "./whys.ts";
import { clock, span, start } from "./words.ts";

/** The shown future, as a share of the past; more is shown if that makes a reservation visible. */
const SOME = 0.4;
const TALL = 26;
const FLAT = 11;

/** Returns whether a label at this position, in percent, is not cut off. */
const isWithin = (left: number) => left > 2 && left < 97;
/** The share of the axis below which a reservation is described at the edge. */
const NARROW = 0.06;
const MINUTE = 60_000;
const STEPS = [0.25, 0.5, 1, 2, 5, 10, 15, 30, 60, 120, 240, 480, 1440, 2880].map((minutes) => minutes * MINUTE);

interface Axis {
  now: number;
  from: number;
  until: number;
}

interface Seen {
  budget: Record<string, BudgetLine>;
  jobs: readonly Job[];
  whys: Whys;
  now: number;
}

export function LaneChart(props: Seen) {
  const [chosen, setChosen] = useState(0);
  const [isOpen, setOpen] = useState(!useNarrow());
  const bars = useOneTabStop<HTMLElement>("a.bar");
  const past = chosen || fittingSpan(props.jobs, props.now);
  const future = Math.max(past * SOME, Math.min(past, untilFirstReserved(props) * 1.25));
  const axis = { now: props.now, from: props.now - past, until: props.now + future };
  return (
    <section class="lanes" aria-labelledby="lanes-title" {...bars}>
      <header class="section-head">
        <h2 id="lanes-title">Instances</h2>
        {isOpen && <Legend />}
        <span class="grow" />
        {isOpen && (
          <label class="quiet">
            last{" "}
            <select value={chosen} onChange={(event) => setChosen(Number(event.currentTarget.value))}>
              <option value={0}>as long as live jobs</option>
              {SPANS.map((one) => (
                <option key={one} value={one}>
                  {span(one)}
                </option>
              ))}
            </select>
          </label>
        )}
        <button type="button" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
          {isOpen ? "Hide lanes" : "Show lanes"}
        </button>
      </header>
      {Object.entries(props.budget).map(([kind, line]) => (
        <Lanes key={kind} kind={kind} line={line} axis={axis} jobs={props.jobs} whys={props.whys} isOpen={isOpen} />
      ))}
      {isOpen && <Ticks axis={axis} />}
    </section>
  );
}

function Legend() {
  return (
    <ul class="legend" aria-label="Legend">
      <li class="launching">starting</li>
      <li class="running">running</li>
      <li class="stopping">stopping</li>
      <li class="reserved">reserved</li>
      <li class="ended">ended</li>
    </ul>
  );
}

function Lanes(props: {
  kind: string;
  line: BudgetLine;
  axis: Axis;
  jobs: readonly Job[];
  whys: Whys;
  isOpen: boolean;
}) {
  const { kind, line, axis } = props;
  const bars = laneBars(heldInstances(props.jobs, kind, axis.from), kind, line.limit);
  const waiting = props.jobs
    .filter(keepsInstances)
    .map((job) => ({ job, starts: props.whys.get(job.name)?.starts ?? null }));
  const reserved = laneReservations(waiting, bars, kind, line.limit);
  const count = Math.max(line.limit, ...bars.map((bar) => bar.lane + bar.height));
  const height = count > 24 ? FLAT : TALL;
  const others = line.held - heldByJobs(props.jobs, kind);
  return (
    <div class="lane-group">
      <div class="lane-label">
        <strong>{kind}</strong>
        <span class="quiet">
          {line.held} of {line.limit} held{line.free ? `, ${line.free} free` : ""}
        </span>
        {others > 0 && <span class="quiet">{others} by warm pools or other training jobs</span>}
      </div>
      {props.isOpen && (
        <ul
          class={`lane-field ${height === FLAT ? "flat" : ""}`}
          aria-label={`${kind}: ${line.held} of ${line.limit} held`}
          style={{ height: `${Math.max(count, 1) * height}px`, "--lane": `${height}px` }}
        >
          {bars.map((bar) => (
            <AttemptBar key={`${bar.held.attempt.name} ${bar.lane}`} bar={bar} axis={axis} height={height} />
          ))}
          {reserved.map((one) => (
            <ReservedBar key={`${one.job.name} ${one.lane}`} reserved={one} axis={axis} height={height} />
          ))}
          <li class="now-line" aria-hidden="true" style={{ left: place(axis.now, axis) }} />
        </ul>
      )}
    </div>
  );
}

function AttemptBar({ bar, axis, height }: { bar: Bar; axis: Axis; height: number }) {
  const { job, attempt, from, until } = bar.held;
  const kind = until === null ? job.state : `ended ${attempt.outcome}`;
  const ran =
    until === null ? `${job.state} for ${span(axis.now - from)}` : `${attempt.outcome} after ${span(until - from)}`;
  const limit = until === null ? `, until ${clock(latestEnd(bar.held), axis.now)} at the latest` : "";
  const said = `${job.name}, attempt ${attempt.number}: ${ran}${limit}`;
  const position = { top: `${bar.lane * height + 1}px`, height: `${bar.height * height - 2}px` };
  return (
    <li>
      {until === null && (
        <span
          class="outlook"
          aria-hidden="true"
          style={{ ...position, ...extent(axis.now, Math.max(axis.now, latestEnd(bar.held)), axis) }}
        />
      )}
      <a
        class={`bar ${kind}`}
        href={linkTo(job.name)}
        title={said}
        aria-label={said}
        style={{ ...position, ...extent(from, until ?? axis.now, axis) }}
      >
        {height === TALL && (
          <span>
            {job.name}
            {attempt.number > 1 && <small> attempt {attempt.number}</small>}
          </span>
        )}
      </a>
    </li>
  );
}

function ReservedBar({ reserved, axis, height }: { reserved: Reserved; axis: Axis; height: number }) {
  const { job, starts } = reserved;
  const at = Math.max(axis.now, Date.parse(starts.earliest ?? ""));
  const isBeyond = at > axis.until - (axis.until - axis.from) * NARROW;
  const when = start(starts, axis.now);
  const said = `${job.name} ${when}: reserved`;
  const position = { top: `${reserved.lane * height + 1}px`, height: `${reserved.height * height - 2}px` };
  return (
    <li>
      <a
        class={`bar reserved ${isBeyond ? "beyond" : ""}`}
        href={linkTo(job.name)}
        title={said}
        aria-label={said}
        style={{ ...position, ...(isBeyond ? { right: "0" } : extent(at, axis.until, axis)) }}
      >
        {height === TALL && <span>{isBeyond ? `${job.name} ${when}` : job.name}</span>}
      </a>
    </li>
  );
}

function Ticks({ axis }: { axis: Axis }) {
  const step = STEPS.find((one) => one >= (axis.until - axis.from) / 7) ?? (STEPS.at(-1) as number);
  const first = Math.ceil((axis.from - axis.now) / step);
  const count = Math.floor((axis.until - axis.now) / step) - first + 1;
  const ticks = Array.from({ length: count }, (_, index) => (first + index) * step).filter(
    (ahead) => ahead !== 0 && isWithin(share(axis.now + ahead, axis)),
  );
  return (
    <div class="ticks" aria-hidden="true">
      {ticks.map((ahead) => (
        <span key={ahead} style={{ left: place(axis.now + ahead, axis) }}>
          {ahead < 0 ? `−${span(-ahead)}` : `+${span(ahead)}`}
        </span>
      ))}
      <span class="now" style={{ left: place(axis.now, axis) }}>
        now
      </span>
    </div>
  );
}

function heldByJobs(jobs: readonly Job[], kind: string): number {
  const live = jobs.filter((job) => job.attempts.at(-1)?.outcome === null);
  return live.reduce((sum, job) => sum + (job.instances[kind] ?? 0), 0);
}

function untilFirstReserved({ jobs, whys, now }: Seen): number {
  const starts = jobs.filter(keepsInstances).map((job) => Date.parse(whys.get(job.name)?.starts?.earliest ?? ""));
  const ahead = starts.map((at) => at - now).filter((span) => span > 0);
  return ahead.length ? Math.min(...ahead) : 0;
}

function extent(from: number, until: number, axis: Axis): { left: string; width: string } {
  const [left, right] = [share(Math.max(from, axis.from), axis), share(Math.min(until, axis.until), axis)];
  return { left: `${left}%`, width: `max(3px, ${right - left}%)` };
}

function place(at: number, axis: Axis): string {
  return `${share(at, axis)}%`;
}

function share(at: number, axis: Axis): number {
  return ((at - axis.from) / (axis.until - axis.from)) * 100;
}
