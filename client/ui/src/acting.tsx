// Buttons for actions on one job or several: actions that cannot be undone need a confirmation; unavailable ones are grey,
// with the reason.

import { useEffect, useRef, useState } from "preact/hooks";
import { act, against, undoing, VERBS, type Verb } from "./actions.ts";
import { type Job, LIVE, type WhoAmI } from "./contract.ts";
import type { Notes } from "./notes.tsx";
import { plural } from "./words.ts";

export interface Acting {
  me: WhoAmI | null;
  notes: Notes;
  /** Called after an action: the page loads the queue again. */
  look: () => void;
}

/** The open confirmation: a verb and its jobs. */
interface Question {
  verb: "priority" | "cancel" | "requeue";
  jobs: readonly Job[];
}

export function useActing(acting: Acting) {
  const [question, setQuestion] = useState<Question | null>(null);

  function ask(verb: Verb, jobs: readonly Job[]): void {
    const objection = objectionTo(verb, jobs, acting.me);
    if (objection) acting.notes.tell(objection);
    else if (
      verb === "priority" ||
      verb === "cancel" ||
      (verb === "requeue" && jobs.some((job) => LIVE.has(job.state)))
    )
      setQuestion({ verb, jobs: able(verb, jobs, acting.me) });
    else void carryOut(verb, able(verb, jobs, acting.me), acting);
  }

  const dialog = question && (
    <Dialog
      question={question}
      me={acting.me}
      onAnswer={(priority) => {
        setQuestion(null);
        if (priority !== null) void carryOut(question.verb, question.jobs, acting, priority);
      }}
    />
  );
  return { ask, dialog };
}

export function ActionBar(props: {
  jobs: readonly Job[];
  me: WhoAmI | null;
  verbs: readonly Verb[];
  onAct: (verb: Verb, jobs: readonly Job[]) => void;
}) {
  return (
    <div class="actions" role="toolbar" aria-label="Actions">
      {props.verbs.map((verb) => {
        const objection = objectionTo(verb, props.jobs, props.me);
        return (
          <button
            key={verb}
            type="button"
            class={verb === "cancel" ? "grave" : ""}
            aria-disabled={Boolean(objection)}
            title={objection ?? `${VERBS[verb].meaning} (key ${VERBS[verb].key})`}
            onClick={() => props.onAct(verb, props.jobs)}
          >
            {VERBS[verb].label}
            {objection && <span class="unseen"> {objection}</span>}
          </button>
        );
      })}
    </div>
  );
}

/** Returns why the action fits none of the jobs; null if it fits at least one. */
function objectionTo(verb: Verb, jobs: readonly Job[], me: WhoAmI | null): string | null {
  const [first] = jobs;
  if (!first) return "Select jobs first.";
  return able(verb, jobs, me).length ? null : against(verb, first, me);
}

function able(verb: Verb, jobs: readonly Job[], me: WhoAmI | null): readonly Job[] {
  return jobs.filter((job) => against(verb, job, me) === null);
}

const DONE: Record<Verb, string> = {
  top: "moved to the top",
  priority: "now with priority",
  hold: "held",
  release: "released",
  requeue: "queued again",
  cancel: "cancelled",
};

/** Acts on one job after the other; each is refused or done by itself. */
async function carryOut(verb: Verb, jobs: readonly Job[], acting: Acting, priority?: number): Promise<void> {
  const done: Job[] = [];
  for (const job of jobs) {
    try {
      await act(verb, job.name, verb === "priority" ? priority : undefined);
      done.push(job);
    } catch (cause) {
      acting.notes.refuse(job.name, cause);
    }
  }
  acting.look();
  if (!done.length) return;
  const names = done.length === 1 ? done[0]?.name : plural(done.length, "job");
  acting.notes.tell(`${names} ${DONE[verb]}${verb === "priority" ? ` ${priority}` : ""}`, wayBack(verb, done, acting));
}

function wayBack(verb: Verb, done: readonly Job[], acting: Acting) {
  const ways = done.flatMap((job) => undoing(verb, job) ?? []);
  const [first] = ways;
  if (!first) return null;
  async function take(): Promise<void> {
    for (const way of ways) await way.undo().catch((cause) => acting.notes.refuse("Undo failed", cause));
    acting.look();
  }
  return { label: first.label, take: () => void take() };
}

function Dialog(props: { question: Question; me: WhoAmI | null; onAnswer: (priority: number | null) => void }) {
  const { verb, jobs } = props.question;
  const box = useRef<HTMLDialogElement>(null);
  const [priority, setPriority] = useState(String(jobs[0]?.priority ?? 0));
  useEffect(() => box.current?.showModal(), []);
  const names = jobs.length === 1 ? jobs[0]?.name : plural(jobs.length, "job");
  return (
    <dialog ref={box} aria-labelledby="question" onClose={() => props.onAnswer(null)}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          props.onAnswer(Number(priority));
        }}
      >
        <h2 id="question">{QUESTIONS[verb].replace("{}", names ?? "")}</h2>
        {verb === "priority" ? (
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
        ) : (
          <p>{consequence(jobs)}</p>
        )}
        {jobs.length > 1 && <p class="quiet names">{jobs.map((job) => job.name).join(", ")}</p>}
        <div class="answers">
          <button type="button" onClick={() => box.current?.close()}>
            Keep
          </button>
          <button type="submit" class={verb === "priority" ? "main" : "grave"}>
            {verb === "priority"
              ? "Set priority"
              : verb === "cancel"
                ? `Cancel ${plural(jobs.length, "job")}`
                : "Stop and queue again"}
          </button>
        </div>
      </form>
    </dialog>
  );
}

const QUESTIONS = {
  priority: "Change the priority of {}",
  cancel: "Cancel {}?",
  requeue: "Stop {} and queue again?",
};

function consequence(jobs: readonly Job[]): string {
  const live = jobs.filter((job) => LIVE.has(job.state));
  if (!live.length) return "Cancelled jobs leave the queue. They can be queued again.";
  const lost = live.filter((job) => !job.has_checkpoints).length;
  const work = lost
    ? `${plural(lost, "job")} without checkpoints will lose all work.`
    : "Work since the last checkpoint is lost.";
  return `${plural(live.length, "running job")} will be stopped. ${work}`;
}
