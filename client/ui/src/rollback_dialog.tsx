// Asks before a rollback: which sections it would change, and why it is made.

import { useEffect, useRef, useState } from "preact/hooks";
import type { Acting } from "./acting.tsx";
import type { Config } from "./config_contract.ts";
import { useDifferences } from "./differences.ts";
import { change } from "./server.ts";
import { Trouble } from "./trouble.tsx";

interface RollbackProps {
  version: number;
  /** The newest version, which the rollback replaces. */
  newest: number;
  acting: Acting;
  onClose: () => void;
}

export function RollbackDialog({ version, newest, acting, onClose }: RollbackProps) {
  const box = useRef<HTMLDialogElement>(null);
  const [comment, setComment] = useState("");
  const { differences, error } = useDifferences(newest, version);
  useEffect(() => box.current?.showModal(), []);

  async function rollBack(): Promise<void> {
    const query = { version: String(version), replaces: String(newest), comment };
    try {
      const applied = await change<Config>("config/rollback", undefined, query);
      acting.notes.tell(`Applied version ${version} again, as version ${applied.version}`);
    } catch (cause) {
      acting.notes.refuse(`Rollback to version ${version}`, cause);
    }
    onClose();
    acting.look(); // also after a refusal: another operator may have applied a version
  }

  return (
    <dialog ref={box} aria-labelledby="rollback-title" onClose={onClose}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          void rollBack();
        }}
      >
        <h2 id="rollback-title">Roll back to version {version}?</h2>
        <p role="status">{differences ? consequence(Object.keys(differences)) : !error && "Loading …"}</p>
        {error && <Trouble error={error} />}
        <input
          type="text"
          aria-label="Comment"
          placeholder="Comment: why this change?"
          maxLength={500}
          value={comment}
          onInput={(event) => setComment(event.currentTarget.value)}
        />
        <div class="answers">
          <button type="button" onClick={() => box.current?.close()}>
            Keep version {newest}
          </button>
          <button type="submit" class="grave">
            Roll back
          </button>
        </div>
      </form>
    </dialog>
  );
}

function consequence(kinds: readonly string[]): string {
  return kinds.length
    ? `These sections will change: ${kinds.join(", ")}.`
    : "No section will change: the two versions are identical.";
}
