// The unfinished arrays with their progress. The list below shows the jobs of the open one.

import type { JobArray, Progress } from "./contract.ts";
import { person, since } from "./words.ts";

const PARTS: Record<keyof Progress, string> = {
  completed: "done",
  running: "running",
  waiting: "waiting",
  held_or_parked: "on hold or parked",
  failed: "failed",
  stopped: "stopped",
  not_created: "to come",
};

export function ArraysSection(props: {
  arrays: readonly JobArray[];
  /** The name of the open array; empty without one. */
  open: string;
  onOpen: (name: string) => void;
  now: number;
}) {
  if (!props.arrays.length) return null;
  return (
    <section class="arrays" aria-labelledby="arrays-title">
      <header class="section-head">
        <h2 id="arrays-title">Arrays</h2>
      </header>
      <table class="cards wide">
        <thead>
          <tr>
            <th scope="col">Array</th>
            <th scope="col">State</th>
            <th scope="col">Ended jobs</th>
            <th scope="col">Progress</th>
            <th scope="col" class="number">
              Priority
            </th>
            <th scope="col">Owner</th>
            <th scope="col" class="number">
              Age
            </th>
          </tr>
        </thead>
        <tbody>
          {props.arrays.map((array) => (
            <Row
              key={array.name}
              array={array}
              isOpen={array.name === props.open}
              onOpen={props.onOpen}
              now={props.now}
            />
          ))}
        </tbody>
      </table>
    </section>
  );
}

function Row(props: { array: JobArray; isOpen: boolean; onOpen: (name: string) => void; now: number }) {
  const { array, isOpen } = props;
  return (
    <tr>
      <th scope="row">
        <button
          type="button"
          class="plain link"
          aria-expanded={isOpen}
          onClick={() => props.onOpen(isOpen ? "" : array.name)}
        >
          <span aria-hidden="true">{isOpen ? "▾" : "▸"}</span> {array.name}
        </button>
      </th>
      <td title={array.problem ?? undefined}>{array.problem ? `${array.state}, with a problem` : array.state}</td>
      <td data-label="ended">
        <progress max={array.size} value={ended(array.progress)} aria-label={`Ended jobs of ${array.name}`} />
      </td>
      <td class="wraps">{progress(array)}</td>
      <td class="number" data-label="priority">
        {array.priority}
      </td>
      <td title={array.owner}>{person(array.owner)}</td>
      <td class="number quiet" data-label="age">
        {since(array.submitted_at, props.now)}
      </td>
    </tr>
  );
}

function ended(counts: Progress): number {
  return counts.completed + counts.failed + counts.stopped;
}

/** Returns for example "3 done, 2 running, 25 waiting, 70 to come". */
export function progress(array: JobArray): string {
  return (Object.keys(PARTS) as (keyof Progress)[])
    .filter((part) => array.progress[part])
    .map((part) => `${array.progress[part].toLocaleString("en")} ${PARTS[part]}`)
    .join(", ");
}
