// Edits the text of one section or of a whole file: plans it, shows the effect, and applies exactly what was planned.

import { useState } from "preact/hooks";
import type { Acting } from "./acting.tsx";
import type { ConfigPlan } from "./config_contract.ts";
import { type Draft, STALE, useDraft } from "./config_draft.ts";
import { FILE } from "./config_logic.ts";
import { PlannedChange } from "./config_plan.tsx";
import { SchemaHelp } from "./schema_help.tsx";
import type { Refusal } from "./server.ts";
import { insertInto, TextField } from "./text_field.tsx";
import { Trouble } from "./trouble.tsx";
import { plural } from "./words.ts";

const LONGEST_COMMENT = 500;

interface EditorProps {
  kind: string;
  text: string;
  version: number;
  inForce: number;
  acting: Acting;
  onText: (text: string) => void;
  onClose: () => void;
}

export function ConfigEditor({ kind, text, acting, onText, onClose, ...props }: EditorProps) {
  const [comment, setComment] = useState("");
  const draft = useDraft(kind, text);
  const what = kind === FILE ? "the configuration" : kind;
  const label = `Text of ${what}`;

  async function apply(): Promise<void> {
    const objection = againstApply(draft.plan);
    if (objection) return acting.notes.tell(objection);
    const applied = await draft.apply(comment);
    if (!applied) return;
    acting.notes.tell(`Applied version ${applied.version} of the configuration`);
    acting.look();
    onClose();
  }

  return (
    <section aria-labelledby="editor-title">
      <form
        onSubmit={(event) => {
          event.preventDefault();
          void draft.makePlan();
        }}
      >
        <header class="section-head">
          <h2 id="editor-title">Edit {what}</h2>
          <span class="quiet">YAML or JSON. {kind === FILE && "A section that you leave out stays as it is."}</span>
          {props.inForce !== props.version && (
            <span class="caution">
              Version {props.inForce} is in force; this text began as version {props.version}.
            </span>
          )}
        </header>
        <TextField label={label} text={text} problems={draft.refusal?.problems ?? []} onText={onText} />
        {kind !== FILE && <SchemaHelp kind={kind} onInsert={(template) => insertInto(label, template)} />}
        <div class="section-head">
          <button type="submit" class={draft.plan ? "" : "main"} aria-disabled={draft.isBusy}>
            Plan
          </button>
          <input
            type="text"
            aria-label="Comment"
            placeholder="Comment: why this change?"
            maxLength={LONGEST_COMMENT}
            value={comment}
            onInput={(event) => setComment(event.currentTarget.value)}
          />
          <ApplyButton draft={draft} onApply={() => void apply()} />
          <span class="quiet" role="status">
            {draft.isBusy ? "Waiting for the queue …" : summary(draft)}
          </span>
          <span class="grow" />
          <button type="button" onClick={onClose}>
            Discard
          </button>
        </div>
      </form>
      {draft.refusal && <Refused refusal={draft.refusal} onPlan={() => void draft.makePlan()} />}
      {draft.plan && <PlannedChange plan={draft.plan} />}
    </section>
  );
}

function ApplyButton({ draft, onApply }: { draft: Draft; onApply: () => void }) {
  const objection = againstApply(draft.plan);
  return (
    <button
      type="button"
      class={objection ? "" : "main"}
      aria-disabled={Boolean(objection) || draft.isBusy}
      title={objection ?? "Apply exactly what was planned."}
      onClick={onApply}
    >
      Apply
      {objection && <span class="unseen"> {objection}</span>}
    </button>
  );
}

function againstApply(plan: ConfigPlan | null): string | null {
  if (!plan) return "Plan the change first.";
  return plan.changed.length ? null : "The text changes nothing.";
}

function summary({ plan }: Draft): string {
  if (!plan) return "";
  if (!plan.changed.length) return "The text changes nothing.";
  return `Changes ${plan.changed.join(", ")}; ${plural(plan.jobs.length + plan.left_out, "job")} affected.`;
}

/** The problems of a text are shown below it. Of an outdated plan, the remedy is a button. */
function Refused({ refusal, onPlan }: { refusal: Refusal; onPlan: () => void }) {
  if (refusal.problems.length) return null;
  if (refusal.code !== STALE) return <Trouble error={refusal} />;
  return (
    <p class="trouble" role="alert">
      <strong>{refusal.message}.</strong> Your text is still here.{" "}
      <button type="button" onClick={onPlan}>
        Plan again
      </button>
    </p>
  );
}
