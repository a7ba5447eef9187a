// The view for a new job: a pasted request or that of an earlier job, its forecast, and its submission.

import { useEffect, useState } from "preact/hooks";
import type { Acting } from "./acting.tsx";
import { maySubmit } from "./actions.ts";
import type { Job, Queue, WhoAmI } from "./contract.ts";
import { ForecastFacts } from "./forecast_facts.tsx";
import { type Forecasted, useForecast } from "./forecasting.ts";
import { linkTo, useQuery } from "./route.ts";
import { ofJob, type Refusal, read, refusalOf, sendText } from "./server.ts";
import { copyOf, type Knobs, knobs, parsed, problemsOf, withKnobs } from "./submission.ts";
import { TextField } from "./text_field.tsx";
import { Trouble } from "./trouble.tsx";

/** The text stays while other views are shown. */
let kept = { from: "", text: "" };

export function SubmitView({ queue, acting }: { queue: Queue | null; acting: Acting }) {
  const [query, setQuery] = useQuery();
  const from = query.get("from") ?? "";
  const { text, setText, error } = useText(from);
  const { submission, problems } = parsed(text);
  const told = useForecast(text, submission !== null);
  const [isBusy, setBusy] = useState(false);
  const [refused, setRefused] = useState<{ text: string; refusal: Refusal } | null>(null);
  const refusal = refused?.text === text ? refused.refusal : told.refusal;

  async function submit(): Promise<void> {
    const objection = againstSubmit(text, told, acting.me);
    if (objection) return acting.notes.tell(objection);
    setBusy(true);
    try {
      const job = await sendText<Job>("POST", "submit", text);
      acting.notes.tell(`${job.name} ${job.is_new ? "submitted" : "was already submitted; no new job was created."}`);
      kept = { from: "", text: "" };
      acting.look();
      location.hash = linkTo(job.name);
    } catch (cause) {
      setRefused({ text, refusal: refusalOf(cause) });
    } finally {
      setBusy(false);
    }
  }

  return (
    <>
      <h1 class="unseen">Submit</h1>
      <form
        class="submission"
        onSubmit={(event) => {
          event.preventDefault();
          void submit();
        }}
      >
        <section aria-labelledby="submit-title">
          <header class="section-head">
            <h2 id="submit-title">New job</h2>
            <span class="quiet">A CreateTrainingJob request in JSON, in SageMaker's format.</span>
            <span class="grow" />
            <EarlierJob key={from} from={from} onPick={(name) => setQuery({ from: name })} />
          </header>
          {error && <Trouble error={error} />}
          {submission && (
            <KnobFields
              now={knobs(submission.request)}
              queue={queue}
              onChange={(one) => setText(withKnobs(submission, one))}
            />
          )}
          <TextField
            label="Request"
            text={text}
            problems={text.trim() ? [...problems, ...(refusal ? problemsOf(refusal, text) : [])] : []}
            onText={setText}
          />
        </section>
        <section aria-labelledby="forecast-title">
          <header class="section-head">
            <h2 id="forecast-title">If it were submitted now</h2>
            <span class="grow" />
            <SubmitButton objection={againstSubmit(text, told, acting.me)} isBusy={isBusy} />
          </header>
          <div role="status">
            <Told text={text} isRequest={submission !== null} told={told} />
          </div>
          {refusal && !problemsOf(refusal, text).length && <Trouble error={refusal} />}
        </section>
      </form>
    </>
  );
}

function useText(from: string) {
  const [text, change] = useState(kept.text);
  const [error, setError] = useState<Refusal | null>(null);

  function setText(next: string): void {
    kept = { ...kept, text: next };
    change(next);
  }

  useEffect(() => {
    if (!from || from === kept.from) return;
    let isOver = false;
    setError(null);
    read<Job>(ofJob(from)).then(
      (job) => {
        if (isOver) return;
        kept = { from, text: copyOf(job) };
        change(kept.text);
      },
      (cause) => isOver || setError(refusalOf(cause)),
    );
    return () => {
      isOver = true;
    };
  }, [from]);
  return { text, setText, error };
}

function EarlierJob({ from, onPick }: { from: string; onPick: (name: string) => void }) {
  const [name, setName] = useState(from);
  const [names, setNames] = useState<readonly string[]>([]);
  useEffect(() => {
    const timer = setTimeout(() => {
      read<{ jobs: Job[] }>("jobs", { name: name.trim() }).then(
        ({ jobs }) => setNames(jobs.slice(0, 20).map((job) => job.name)),
        () => {}, // the page's other calls show the error
      );
    }, 300);
    return () => clearTimeout(timer);
  }, [name]);
  return (
    <span class="field-row">
      <input
        type="search"
        list="earlier-jobs"
        aria-label="Earlier job"
        placeholder="Earlier job"
        value={name}
        onInput={(event) => setName(event.currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key !== "Enter") return;
          event.preventDefault();
          onPick(name.trim());
        }}
      />
      <datalist id="earlier-jobs">
        {names.map((one) => (
          <option key={one} value={one} />
        ))}
      </datalist>
      <button type="button" onClick={() => onPick(name.trim())}>
        Use its request
      </button>
    </span>
  );
}

/** A request with groups or preferences has no single type and count: its text is edited instead. */
function KnobFields(props: { now: Knobs; queue: Queue | null; onChange: (changes: Partial<Knobs>) => void }) {
  const { name, priority, type, count } = props.now;
  const known = Object.keys(props.queue?.budget ?? {}).filter((kind) => !kind.includes("@"));
  return (
    <div class="section-head knobs">
      <label>
        Name{" "}
        <input
          type="text"
          value={name}
          onChange={(event) => props.onChange({ name: event.currentTarget.value.trim() })}
        />
      </label>
      <NumberField label="Priority" value={priority} onChange={(next) => props.onChange({ priority: next })} />
      {type !== null && (
        <label>
          Type{" "}
          <select value={type} onChange={(event) => props.onChange({ type: event.currentTarget.value })}>
            {[...new Set([type, ...known])].map((kind) => (
              <option key={kind}>{kind}</option>
            ))}
          </select>
        </label>
      )}
      {count !== null && (
        <NumberField label="Instances" value={count} onChange={(next) => props.onChange({ count: next })} />
      )}
    </div>
  );
}

function NumberField(props: { label: string; value: number; onChange: (value: number) => void }) {
  return (
    <label>
      {props.label}{" "}
      <input
        type="number"
        step={1}
        value={props.value}
        onInput={(event) => {
          const { valueAsNumber } = event.currentTarget;
          if (Number.isInteger(valueAsNumber)) props.onChange(valueAsNumber);
        }}
      />
    </label>
  );
}

function SubmitButton({ objection, isBusy }: { objection: string | null; isBusy: boolean }) {
  return (
    <button type="submit" class={objection ? "" : "main"} aria-disabled={Boolean(objection)} aria-busy={isBusy}>
      Submit
      {objection && <span class="unseen"> {objection}</span>}
    </button>
  );
}

function Told({ text, isRequest, told }: { text: string; isRequest: boolean; told: Forecasted }) {
  if (told.forecast) return <ForecastFacts forecast={told.forecast} />;
  if (told.refusal) return <p class="nothing caution">The queue would refuse it.</p>;
  const hint = text.trim() ? "Correct the text." : "Paste a request, or pick an earlier job.";
  return <p class="nothing quiet">{isRequest ? "Asking the queue …" : hint}</p>;
}

function againstSubmit(text: string, told: Forecasted, me: WhoAmI | null): string | null {
  if (!maySubmit(me)) return "You may not submit jobs; an operator can grant you more.";
  if (!text.trim()) return "Paste a request first.";
  if (told.forecast) return null;
  return told.refusal ? "Correct the request first." : "Wait for the forecast.";
}
