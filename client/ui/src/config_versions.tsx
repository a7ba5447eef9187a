// The versions of the configuration: who applied each and why, the differences of two, and the way back to one.

import { useEffect, useState } from "preact/hooks";
import type { Acting } from "./acting.tsx";
import type { ConfigVersion, ConfigVersions } from "./config_contract.ts";
import { againstChange, FILE, mayConfigure } from "./config_logic.ts";
import { useDifferences } from "./differences.ts";
import { RollbackDialog } from "./rollback_dialog.tsx";
import { SectionDifferences } from "./section_differences.tsx";
import { type Refusal, read, refusalOf } from "./server.ts";
import { Trouble } from "./trouble.tsx";
import { clock, person } from "./words.ts";

/** For another version in force, the list is made anew. */
export function ConfigVersionList({ inForce, acting, now }: { inForce: number; acting: Acting; now: number }) {
  const { versions, next, error, loadMore } = useVersions();
  const [wanted, setWanted] = useState<number | null>(null);

  function askFor(version: number): void {
    const objection = againstChange(FILE, acting.me);
    if (objection) acting.notes.tell(objection);
    else setWanted(version);
  }

  return (
    <>
      <section aria-labelledby="versions-title">
        <header class="section-head">
          <h2 id="versions-title">Versions</h2>
          <span class="quiet">A rollback applies an older one again, as a new version.</span>
        </header>
        {error && <Trouble error={error} />}
        {!versions?.length ? (
          <p class="nothing quiet">{versions ? "None." : "Loading …"}</p>
        ) : (
          <VersionTable versions={versions} inForce={inForce} acting={acting} now={now} onRollback={askFor} />
        )}
        {next && (
          <div class="section-head">
            <button type="button" onClick={loadMore}>
              Older versions
            </button>
          </div>
        )}
      </section>
      {versions && versions.length > 1 && <Comparison versions={versions} />}
      {wanted !== null && (
        <RollbackDialog
          version={wanted}
          newest={versions?.[0]?.version ?? inForce}
          acting={acting}
          onClose={() => setWanted(null)}
        />
      )}
    </>
  );
}

function useVersions() {
  const [versions, setVersions] = useState<readonly ConfigVersion[] | null>(null);
  const [next, setNext] = useState<string | null>(null);
  const [error, setError] = useState<Refusal | null>(null);

  async function load(token: string | null): Promise<void> {
    try {
      const page = await read<ConfigVersions>("config/versions", { next: token });
      setVersions((before) => [...(before ?? []), ...page.versions]);
      setNext(page.next);
      setError(null);
    } catch (cause) {
      setError(refusalOf(cause));
    }
  }

  useEffect(() => void load(null), []);
  return { versions, next, error, loadMore: () => void load(next) };
}

function VersionTable(props: {
  versions: readonly ConfigVersion[];
  inForce: number;
  acting: Acting;
  now: number;
  onRollback: (version: number) => void;
}) {
  const objection = againstChange(FILE, props.acting.me);
  return (
    <table class="cards">
      <thead>
        <tr>
          <th scope="col">Version</th>
          <th scope="col">Applied</th>
          <th scope="col">By</th>
          <th scope="col">Changed</th>
          <th scope="col">Comment</th>
          <th scope="col">
            <span class="unseen">Rollback</span>
          </th>
        </tr>
      </thead>
      <tbody>
        {props.versions.map((one) => (
          <tr key={one.version}>
            <th scope="row">{one.version}</th>
            <td class="quiet">{one.applied_at && clock(one.applied_at, props.now)}</td>
            <td data-label="by" title={one.author ?? ""}>
              {person(one.author ?? "")}
            </td>
            <td class="wraps">{one.changed.join(", ")}</td>
            <td class="wraps">{one.comment}</td>
            <td class="number">
              {one.version === props.inForce ? (
                <span class="quiet">in force</span>
              ) : !mayConfigure(props.acting.me) ? null : (
                <button
                  type="button"
                  aria-disabled={Boolean(objection)}
                  title={objection ?? `Apply version ${one.version} again`}
                  onClick={() => props.onRollback(one.version)}
                >
                  Roll back<span class="unseen"> to version {one.version}</span>…
                </button>
              )}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function Comparison({ versions }: { versions: readonly ConfigVersion[] }) {
  const [newest, second] = versions.map((one) => one.version);
  const [from, setFrom] = useState(second ?? 0);
  const [to, setTo] = useState(newest ?? 0);
  const { differences, error } = useDifferences(from, to);
  const numbers = versions.map((one) => one.version);
  return (
    <section aria-labelledby="difference-title">
      <header class="section-head">
        <h2 id="difference-title">Differences</h2>
        <VersionChoice label="from version" chosen={from} numbers={numbers} onChoice={setFrom} />
        <VersionChoice label="to version" chosen={to} numbers={numbers} onChoice={setTo} />
        <span class="quiet" role="status">
          {!differences && !error && "Loading …"}
          {differences && !Object.keys(differences).length && "They have the same sections."}
        </span>
      </header>
      {error && <Trouble error={error} />}
      {differences && (
        <div class="planned">
          <SectionDifferences differences={differences} />
        </div>
      )}
    </section>
  );
}

function VersionChoice(props: {
  label: string;
  chosen: number;
  numbers: readonly number[];
  onChoice: (version: number) => void;
}) {
  return (
    <label>
      {props.label}{" "}
      <select value={props.chosen} onChange={(event) => props.onChoice(Number(event.currentTarget.value))}>
        {props.numbers.map((number) => (
          <option key={number} value={number}>
            {number}
          </option>
        ))}
      </select>
    </label>
  );
}
