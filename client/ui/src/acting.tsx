// Buttons for actions on one job or several: unavailable ones are grey, with the reason; pressed ones show that they work.

import { useState } from "preact/hooks";
import { act, against, DONE, mayControl, undoing, VERBS, type Verb } from "./actions.ts";
import type { Batches } from "./batches.tsx";
import { type Job, LIVE, type WhoAmI } from "./contract.ts";
import type { Notes } from "./notes.tsx";
import type { Notifier } from "./notifier.ts";
import { useOneTabStop } from "./one_tab_stop.ts";
import { type Question, QuestionDialog } from "./question.tsx";

export interface Acting {
  me: WhoAmI | null;
  notes: Notes;
  batches: Batches;
  notifier: Notifier;
  /** Called after an action: the page loads the queue again. */
  look: () => void;
}

/** Above this number of jobs, every action asks first. */
const MOST_UNASKED = 10;

export function useActing(acting: Acting) {
  const [question, setQuestion] = useState<Question | null>(null);
  const [busy, setBusy] = useState<Verb | null>(null);

  /** Acts on the jobs; `always` after a question, as on jobs that nobody has selected one by one. */
  function ask(verb: Verb, jobs: readonly Job[], always = false): void {
    const objection = objectionTo(verb, jobs, acting.me);
    const fitting = able(verb, jobs, acting.me);
    if (objection) acting.notes.tell(objection);
    else if (busy) acting.notes.tell(`${VERBS[busy].label.replace("…", "")} is still under way.`);
    else if (always || asksFirst(verb, fitting))
      setQuestion({ verb, jobs: fitting, leftOut: jobs.length - fitting.length });
    else void carryOut(verb, fitting);
  }

  async function carryOut(verb: Verb, jobs: readonly Job[], priority?: number): Promise<void> {
    setBusy(verb);
    const [first] = jobs;
    if (first && jobs.length === 1) await actOnOne(verb, first, acting, priority);
    else await acting.batches.start(verb, jobs, priority);
    setBusy(null);
    acting.look();
  }

  const dialog = question && (
    <QuestionDialog
      question={question}
      me={acting.me}
      onAnswer={(priority) => {
        setQuestion(null);
        if (priority !== null)
          void carryOut(question.verb, question.jobs, question.verb === "priority" ? priority : undefined);
      }}
    />
  );
  return { ask, dialog, busy };
}

function asksFirst(verb: Verb, jobs: readonly Job[]): boolean {
  if (verb === "priority" || verb === "cancel" || jobs.length > MOST_UNASKED) return true;
  return verb === "requeue" && jobs.some((job) => LIVE.has(job.state));
}

export function ActionBar(props: {
  jobs: readonly Job[];
  me: WhoAmI | null;
  verbs: readonly Verb[];
  busy: Verb | null;
  onAct: (verb: Verb, jobs: readonly Job[]) => void;
}) {
  const stops = useOneTabStop<HTMLDivElement>("button");
  if (!mayControl(props.me)) return null;
  return (
    <div class="actions" role="toolbar" aria-label="Actions" {...stops}>
      {props.verbs.map((verb) => {
        const objection = objectionTo(verb, props.jobs, props.me);
        return (
          <button
            key={verb}
            type="button"
            class={verb === "cancel" ? "grave" : ""}
            aria-disabled={Boolean(objection)}
            aria-busy={props.busy === verb}
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
  if (!first) return "Select jobs, or filter the list, first.";
  return able(verb, jobs, me).length ? null : against(verb, first, me);
}

function able(verb: Verb, jobs: readonly Job[], me: WhoAmI | null): readonly Job[] {
  return jobs.filter((job) => against(verb, job, me) === null);
}

async function actOnOne(verb: Verb, job: Job, acting: Acting, priority?: number): Promise<void> {
  try {
    await act(verb, job, priority);
  } catch (cause) {
    acting.notes.refuse(job.name, cause);
    return;
  }
  const undo = undoing(verb, job);
  async function take(): Promise<void> {
    if (undo) await act(undo.verb, job, undo.priority).catch((cause) => acting.notes.refuse("Undo failed", cause));
    acting.look();
  }
  const way = undo && { label: undo.label, take: () => void take() };
  acting.notes.tell(`${job.name} ${DONE[verb]}${verb === "priority" ? ` ${priority}` : ""}`, way);
}
