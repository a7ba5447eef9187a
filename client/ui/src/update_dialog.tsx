// Changes the time limit and options of one waiting job. Of a running job, the queue allows only some of them.

import { useEffect, useRef, useState } from "preact/hooks";
import type { Acting } from "./acting.tsx";
import type { Job } from "./contract.ts";
import { changedFields, type Fields, fieldsOf } from "./job_update.ts";
import { change, ofJob, type Refusal, refusalOf } from "./server.ts";
import { Trouble } from "./trouble.tsx";

const TIMES = [
  ["not_before", "Not before"],
  ["expires", "Expires"],
  ["deadline", "Deadline"],
] as const;
const FLAGS = [
  ["never_preempt", "Never preempt"],
  ["idle_exempt", "GPUs may be idle"],
] as const;

export function UpdateDialog({ job, acting, onClose }: { job: Job; acting: Acting; onClose: () => void }) {
  const box = useRef<HTMLDialogElement>(null);
  const [asOpened] = useState(job); // other people's changes since then are not this dialog's changes
  const [fields, setFields] = useState<Fields>(() => fieldsOf(asOpened));
  const [refusal, setRefusal] = useState<Refusal | null>(null);
  const update = changedFields(asOpened, fields);
  useEffect(() => box.current?.showModal(), []);

  async function send(): Promise<void> {
    try {
      await change<Job>(ofJob(job.name, "update"), update ?? {});
    } catch (cause) {
      setRefusal(refusalOf(cause));
      return;
    }
    acting.notes.tell(`${job.name} changed`);
    onClose();
    acting.look();
  }

  const set = (name: keyof Fields, value: string | boolean) => setFields({ ...fields, [name]: value });
  return (
    <dialog ref={box} aria-labelledby="update-title" onClose={onClose}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          void send();
        }}
      >
        <h2 id="update-title">Change {job.name}</h2>
        <p>
          <label>
            Time limit{" "}
            <input
              type="number"
              min={1}
              step={1}
              required
              value={fields.max_runtime}
              onInput={(event) => set("max_runtime", event.currentTarget.value)}
            />{" "}
            s
          </label>
        </p>
        <p>
          <label>
            Retries{" "}
            <input
              type="number"
              min={0}
              step={1}
              placeholder="default"
              value={fields.retries}
              onInput={(event) => set("retries", event.currentTarget.value)}
            />
          </label>
        </p>
        {TIMES.map(([name, label]) => (
          <p key={name}>
            <label>
              {label}{" "}
              <input
                type="text"
                placeholder="2026-12-01T18:00Z, or none"
                value={fields[name]}
                onInput={(event) => set(name, event.currentTarget.value)}
              />
            </label>
          </p>
        ))}
        {FLAGS.map(([name, label]) => (
          <p key={name}>
            <label>
              <input
                type="checkbox"
                checked={fields[name]}
                onChange={(event) => set(name, event.currentTarget.checked)}
              />{" "}
              {label}
            </label>
          </p>
        ))}
        {refusal && <Trouble error={refusal} />}
        <div class="answers">
          <button type="button" onClick={() => box.current?.close()}>
            Keep
          </button>
          <button type="submit" class="main" disabled={update === null}>
            Change job
          </button>
        </div>
      </form>
    </dialog>
  );
}
