// The list of jobs. Only the rows on screen exist, so that a long list scrolls as fast as a short one.

import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import { COLUMNS, USUAL } from "./columns.tsx";
import { ENDED, type Explanation, type Job } from "./contract.ts";
import { useNarrow, useReasonBelow } from "./narrow.ts";
import { linkTo } from "./route.ts";
import type { Whys } from "./whys.ts";

/** Heights in pixels, as in tables.css and narrow.css. */
const LINE = 30;
const LINE_AND_REASON = 52;
const CARD = 121;
const MARGIN = 8;

/** Moves the focus to the list's current row. Returns whether there is one. */
export function focusList(): boolean {
  const current = document.querySelector<HTMLElement>(".table-frame tbody [tabindex='0']");
  current?.focus();
  return current !== null;
}

export interface Selection {
  names: ReadonlySet<string>;
  toggle: (name: string) => void;
  all: (names: readonly string[]) => void;
}

export function JobTable(props: {
  jobs: readonly Job[];
  hasMore: boolean;
  /** Keys of COLUMNS. */
  columns: readonly string[];
  /** The column that the list is sorted by, `-` before it for the reverse; empty for the order of the queue. */
  sort: string;
  onSort: (sort: string) => void;
  whys: Whys;
  now: number;
  selection: Selection;
  onSight: (first: number, last: number) => void;
  onKey: (key: string, job: Job) => boolean;
}) {
  const { jobs, selection } = props;
  const ROW = useRowHeight(props.columns);
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

  /** A poll may move the focused job to another row, without an event. Keys must still act on this job. */
  function followFocus(): void {
    const focused = frame.current?.querySelector<HTMLElement>("[data-row]:focus-within");
    if (focused && !wantsFocus.current) setActive(Number(focused.dataset.row));
  }

  useLayoutEffect(look);
  useEffect(() => props.onSight(sight.first, sight.last), [sight.first, sight.last, jobs.length]);
  useLayoutEffect(followFocus);
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
      const head = LINE; // the header stays visible above the rows
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
      <table
        class={props.columns.length > USUAL.length ? "all-columns" : ""}
        aria-rowcount={props.hasMore ? -1 : jobs.length + 1}
        aria-describedby="table-keys"
      >
        <caption class="unseen">
          {props.sort
            ? `Jobs by ${props.sort.replace("-", "")}`
            : "Jobs: live ones, then waiting ones in queue order, then ended ones"}
        </caption>
        <thead>
          <tr aria-rowindex={1}>
            <th scope="col" class="pick">
              <input
                type="checkbox"
                aria-label="Select all loaded jobs"
                checked={areAllSelected}
                onChange={() => selection.all(areAllSelected ? [] : jobs.map((job) => job.name))}
              />
              <span class="on-cards" aria-hidden="true">
                {" "}
                all loaded jobs
              </span>
            </th>
            {props.columns.map((key) => (
              <Head key={key} name={key} sort={props.sort} onSort={props.onSort} />
            ))}
          </tr>
        </thead>
        <tbody>
          {sight.first > 0 && <Spacer height={sight.first * ROW} columns={props.columns} />}
          {shown.map((job, index) => (
            <Row
              key={job.name}
              job={job}
              row={sight.first + index}
              isActive={sight.first + index === current}
              columns={props.columns}
              explanation={props.whys.get(job.name)}
              now={props.now}
              selection={selection}
              onFocus={() => setActive(sight.first + index)}
            />
          ))}
          {below > 0 && <Spacer height={below * ROW} columns={props.columns} />}
        </tbody>
      </table>
      {props.hasMore && (
        <p class="quiet more">
          {props.sort ? "These are the first jobs in the queue; filter the list to sort others." : "more jobs below …"}
        </p>
      )}
    </section>
  );
}

function useRowHeight(columns: readonly string[]): number {
  const isReasonBelow = useReasonBelow() && columns.includes("why");
  if (useNarrow()) return CARD;
  return isReasonBelow ? LINE_AND_REASON : LINE;
}

/** A column's header. Its button is no tab stop before the list: the menu of the view sorts by keyboard, too. */
function Head({ name, sort, onSort }: { name: string; sort: string; onSort: (sort: string) => void }) {
  const column = COLUMNS[name];
  if (!column) return null;
  const className = `${column.className.replace("quiet", "")} ${column.isNumber ? "number" : ""}`;
  if (!column.order) {
    return (
      <th scope="col" class={className}>
        {column.label}
      </th>
    );
  }
  const next = { [name]: `-${name}`, [`-${name}`]: "" }[sort] ?? name;
  const direction = { [name]: "ascending", [`-${name}`]: "descending" }[sort] as "ascending" | "descending" | undefined;
  return (
    <th scope="col" class={className} aria-sort={direction}>
      <button type="button" class="sort" tabIndex={-1} onClick={() => onSort(next)}>
        {column.label}
      </button>
    </th>
  );
}

function Spacer({ height, columns }: { height: number; columns: readonly string[] }) {
  return (
    <tr class="spacer" style={{ height: `${height}px` }}>
      <td colSpan={columns.length + 1} />
    </tr>
  );
}

function Row(props: {
  job: Job;
  row: number;
  isActive: boolean;
  columns: readonly string[];
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
      {props.columns.map((key) =>
        key === "name" ? (
          <th key={key} scope="row">
            <a href={linkTo(job.name)} tabIndex={tabIndex}>
              {job.name}
            </a>
          </th>
        ) : (
          <Cell key={key} name={key} job={job} now={now} explanation={explanation} />
        ),
      )}
    </tr>
  );
}

function Cell(props: { name: string; job: Job; now: number; explanation: Explanation | undefined }) {
  const column = COLUMNS[props.name];
  if (!column) return null;
  return (
    <td
      class={`${column.className} ${column.isNumber ? "number" : ""}`}
      data-label={column.onCard}
      title={column.title?.(props.job, props.now)}
    >
      {column.cell(props.job, props.now, props.explanation)}
    </td>
  );
}
