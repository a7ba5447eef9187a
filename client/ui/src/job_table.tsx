// The jobs in the order of the queue. Only the rows on screen exist, so that a long list scrolls as fast as a short one.

import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import type { Explanation, Job } from "./contract.ts";
import { ENDED, QUEUED } from "./contract.ts";
import { linkTo } from "./route.ts";
import type { Whys } from "./whys.ts";
import { instances, person, since, start, why } from "./words.ts";

const ROW = 30;
const MARGIN = 8;

export interface Selection {
  names: ReadonlySet<string>;
  toggle: (name: string) => void;
  all: (names: readonly string[]) => void;
}

export function JobTable(props: {
  jobs: readonly Job[];
  hasMore: boolean;
  whys: Whys;
  now: number;
  selection: Selection;
  onSight: (first: number, last: number) => void;
  onKey: (key: string, job: Job) => boolean;
}) {
  const { jobs, selection } = props;
  const frame = useRef<HTMLElement>(null);
  const [sight, setSight] = useState({ first: 0, last: 40 });
  const [active, setActive] = useState(0);
  const wantsFocus = useRef(false);
  const current = Math.min(active, jobs.length - 1);

  function look(): void {
    const box = frame.current;
    if (!box) return;
    const first = Math.max(0, Math.floor(box.scrollTop / ROW) - MARGIN);
    const last = Math.ceil((box.scrollTop + box.clientHeight) / ROW) + MARGIN;
    if (first !== sight.first || last !== sight.last) setSight({ first, last });
  }

  useLayoutEffect(look);
  useEffect(() => props.onSight(sight.first, sight.last), [sight.first, sight.last, jobs.length]);
  useLayoutEffect(() => {
    if (!wantsFocus.current) return;
    wantsFocus.current = false;
    frame.current?.querySelector<HTMLElement>(`[data-row="${current}"] input`)?.focus();
  });

  function move(to: number): void {
    const row = Math.max(0, Math.min(jobs.length - 1, to));
    const box = frame.current;
    if (box) {
      const top = row * ROW;
      const head = ROW; // the header stays visible above the rows
      if (top < box.scrollTop) box.scrollTop = top;
      if (top + ROW + head > box.scrollTop + box.clientHeight) box.scrollTop = top + ROW + head - box.clientHeight;
    }
    wantsFocus.current = true;
    setActive(row);
    look();
  }

  function onKeyDown(event: KeyboardEvent): void {
    const job = jobs[current];
    if (!job || event.ctrlKey || event.metaKey || event.altKey) return;
    const perPage = Math.max(1, Math.floor((frame.current?.clientHeight ?? ROW) / ROW) - 2);
    const step = { ArrowDown: 1, ArrowUp: -1, PageDown: perPage, PageUp: -perPage }[event.key];
    if (step) move(current + step);
    else if (event.key === "Home") move(0);
    else if (event.key === "End") move(jobs.length - 1);
    else if (event.key === "Enter") location.hash = linkTo(job.name);
    else if (!props.onKey(event.key, job)) return;
    event.preventDefault();
  }

  const shown = jobs.slice(sight.first, sight.last);
  const below = jobs.length - sight.first - shown.length;
  const areAllSelected = jobs.length > 0 && jobs.every((job) => selection.names.has(job.name));
  return (
    <section class="table-frame" aria-label="List of jobs" ref={frame} onScroll={look} onKeyDown={onKeyDown}>
      <table aria-rowcount={props.hasMore ? -1 : jobs.length + 1} aria-describedby="table-keys">
        <caption class="unseen">Jobs: live ones, then waiting ones in queue order, then ended ones</caption>
        <thead>
          <tr aria-rowindex={1}>
            <th scope="col" class="pick">
              <input
                type="checkbox"
                aria-label="Select all loaded jobs"
                checked={areAllSelected}
                onChange={() => selection.all(areAllSelected ? [] : jobs.map((job) => job.name))}
              />
            </th>
            <th scope="col" class="number">
              #
            </th>
            <th scope="col">Job</th>
            <th scope="col">State</th>
            <th scope="col" class="number">
              Priority
            </th>
            <th scope="col">Instances</th>
            <th scope="col">Owner</th>
            <th scope="col" class="number">
              Age
            </th>
            <th scope="col">May start</th>
            <th scope="col">Why</th>
          </tr>
        </thead>
        <tbody>
          {sight.first > 0 && <Spacer rows={sight.first} />}
          {shown.map((job, index) => (
            <Row
              key={job.name}
              job={job}
              row={sight.first + index}
              isActive={sight.first + index === current}
              explanation={props.whys.get(job.name)}
              now={props.now}
              selection={selection}
              onFocus={() => setActive(sight.first + index)}
            />
          ))}
          {below > 0 && <Spacer rows={below} />}
        </tbody>
      </table>
      {props.hasMore && <p class="quiet more">more jobs below …</p>}
    </section>
  );
}

function Spacer({ rows }: { rows: number }) {
  return (
    <tr class="spacer" style={{ height: `${rows * ROW}px` }}>
      <td colSpan={10} />
    </tr>
  );
}

function Row(props: {
  job: Job;
  row: number;
  isActive: boolean;
  explanation: Explanation | undefined;
  now: number;
  selection: Selection;
  onFocus: () => void;
}) {
  const { job, explanation, now, selection } = props;
  const tabIndex = props.isActive ? 0 : -1;
  return (
    <tr
      aria-rowindex={props.row + 2}
      data-row={props.row}
      class={`${selection.names.has(job.name) ? "selected" : ""} ${ENDED.has(job.state) ? "past" : ""}`}
      onFocusCapture={props.onFocus}
    >
      <td class="pick">
        <input
          type="checkbox"
          tabIndex={tabIndex}
          aria-label={`Select ${job.name}`}
          checked={selection.names.has(job.name)}
          onChange={() => selection.toggle(job.name)}
        />
      </td>
      <td class="number quiet">{job.position ?? ""}</td>
      <th scope="row">
        <a href={linkTo(job.name)} tabIndex={tabIndex}>
          {job.name}
        </a>
      </th>
      <td>
        <StateMark job={job} />
      </td>
      <td class="number">{job.priority}</td>
      <td>{instances(job)}</td>
      <td title={job.owner}>
        {person(job.owner)}
        {job.team && <small class="quiet"> {job.team}</small>}
      </td>
      <td class="number" title={job.submitted_at}>
        {since(job.submitted_at, now)}
      </td>
      <td>{QUEUED.has(job.state) && explanation ? start(explanation.starts, now) : ""}</td>
      <td class="why" title={job.reason.message}>
        {why(job)}
      </td>
    </tr>
  );
}

export function StateMark({ job }: { job: Job }) {
  return <span class={`state ${job.state}`}>{job.state}</span>;
}
