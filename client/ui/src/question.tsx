// The question before an action that cannot be undone, that needs a number, or that changes many jobs.

import { useEffect, useRef, useState } from "preact/hooks";
import { VERBS, type Verb } from "./actions.ts";
import { type Job, LIVE, type WhoAmI } from "./contract.ts";
import { Forecast } from "./victims.tsx";
import { plural } from "./words.ts";

/** The open question: a verb, the jobs that it fits, and the number of other selected jobs. */
export interface Question {
  verb: Verb;
  jobs: readonly Job[];
  leftOut: number;
}

export function QuestionDialog(props: {
  question: Question;
  me: WhoAmI | null;
  onAnswer: (priority: number | null) => void;
}) {
  const { verb, jobs, leftOut } = props.question;
  const box = useRef<HTMLDialogElement>(null);
  const [priority, setPriority] = useState(String(jobs[0]?.priority ?? 0));
  useEffect(() => box.current?.showModal(), []);
  return (
    <dialog ref={box} aria-labelledby="question" onClose={() => props.onAnswer(null)}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          props.onAnswer(Number(priority));
        }}
      >
        <h2 id="question">{asked(verb, jobs)}</h2>
        {verb === "priority" ? (
          <>
            <label>
              Priority{" "}
              <input
                type="number"
                min={-9999}
                max={props.me?.priority_ceiling ?? 9999}
                step={1}
                required
                value={priority}
                onInput={(event) => setPriority(event.currentTarget.value)}
              />{" "}
              <span class="quiet">Higher starts first, and may preempt lower priorities.</span>
            </label>
            <Forecast jobs={jobs} priority={priority} />
          </>
        ) : (
          <p>{consequence(verb, jobs)}</p>
        )}
        {jobs.length > 1 && <p class="quiet names">{jobs.map((job) => job.name).join(", ")}</p>}
        {leftOut > 0 && (
          <p class="quiet">
            Left out: {plural(leftOut, "selected job")} that you may not change, or not in this state.
          </p>
        )}
        <div class="answers">
          <button type="button" onClick={() => box.current?.close()}>
            Keep
          </button>
          <button type="submit" class={verb === "cancel" || verb === "requeue" ? "grave" : "main"}>
            {answer(verb, jobs)}
          </button>
        </div>
      </form>
    </dialog>
  );
}

function asked(verb: Verb, jobs: readonly Job[]): string {
  const names = (jobs.length === 1 && jobs[0]?.name) || plural(jobs.length, "job");
  if (verb === "priority") return `Change the priority of ${names}`;
  if (verb === "top") return `Move ${names} to the top?`;
  if (verb === "requeue") return stops(jobs) ? `Stop ${names} and queue again?` : `Queue ${names} again?`;
  return `${VERBS[verb].label.replace("…", "")} ${names}?`;
}

function answer(verb: Verb, jobs: readonly Job[]): string {
  if (verb === "priority")
    return jobs.length > 1 ? `Set the priority of ${plural(jobs.length, "job")}` : "Set priority";
  if (verb === "requeue") return stops(jobs) ? "Stop and queue again" : `Queue ${plural(jobs.length, "job")} again`;
  if (verb === "top") return `Move ${plural(jobs.length, "job")}`;
  return `${VERBS[verb].label.replace("…", "")} ${plural(jobs.length, "job")}`;
}

function stops(jobs: readonly Job[]): boolean {
  return jobs.some((job) => LIVE.has(job.state));
}

function consequence(verb: Verb, jobs: readonly Job[]): string {
  if (verb === "hold") return "They keep their age, and do not start until they are released.";
  if (verb === "release") return "They go back into the queue, with the age that they have.";
  if (verb === "top") return "They go ahead of all other waiting jobs of their priority.";
  const live = jobs.filter((job) => LIVE.has(job.state));
  if (!live.length) {
    if (verb === "requeue") return "They wait in the queue for a new attempt.";
    return "Cancelled jobs leave the queue. They can be queued again.";
  }
  const lost = live.filter((job) => !job.has_checkpoints).length;
  const work = lost
    ? `${plural(lost, "job")} without checkpoints will lose all work.`
    : "Work since the last checkpoint is lost.";
  return `${plural(live.length, "running job")} will be stopped. ${work}`;
}
