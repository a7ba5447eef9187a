// The view of the configuration: its sections, an editor that plans and applies a change, and its versions.

import type { ComponentChildren } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import type { Acting } from "./acting.tsx";
import type { Config } from "./config_contract.ts";
import { ConfigEditor } from "./config_editor.tsx";
import { againstChange, FILE, mayConfigure } from "./config_logic.ts";
import { ConfigVersionList } from "./config_versions.tsx";
import type { Budget } from "./contract.ts";
import { useNow } from "./freshness.ts";
import { usePolled } from "./polling.ts";
import { read } from "./server.ts";
import { TextBlock } from "./text_block.tsx";
import { Trouble } from "./trouble.tsx";
import { WeekStrip } from "./week_strip.tsx";
import { clock, person } from "./words.ts";

/** A version is seldom applied, and its text may be long. */
const LATEST = 60_000;

type Texts = Pick<Config, "version" | "text" | "texts">;

interface Edited {
  kind: string;
  text: string;
  /** The text that it began as. */
  original: string;
  /** The version that the text was taken from. */
  version: number;
}

/** The text stays while other views are shown. */
let kept: Edited | null = null;

/** `kind` is the section that a link of another view names. */
export function ConfigView({ kind, acting }: { kind: string; acting: Acting }) {
  const now = useNow(10_000);
  const config = usePolled(() => read<Config>("config"), "config", LATEST);
  const budget = usePolled(() => read<Budget>("budget"), "budget", LATEST);
  const [edited, change] = useState(kept);
  if (!config.value && !config.error) return <p class="empty">Loading …</p>;
  // A configuration that cannot be read can still be replaced: by a file, or by a rollback.
  const { version, text: file, texts }: Texts = config.value ?? { version: 0, text: "", texts: {} };

  function setEdited(next: Edited | null): void {
    kept = next;
    change(next);
  }

  function edit(kind: string): void {
    const objection = againstChange(kind, acting.me) ?? againstLoss(edited);
    const original = kind === FILE ? file : (texts[kind] ?? "");
    if (objection) acting.notes.tell(objection);
    else setEdited({ kind, text: original, original, version });
  }

  function look(): void {
    config.look();
    acting.look();
  }

  return (
    <>
      <h1 class="unseen">Configuration</h1>
      {config.error && <Trouble error={config.error} />}
      <section aria-labelledby="config-title">
        <header class="section-head">
          <h2 id="config-title">In force</h2>
          <span class="quiet">{config.value ? inForce(config.value, now) : "It cannot be read."}</span>
          <span class="grow" />
          <EditButton kind={FILE} me={acting.me} onEdit={edit} />
        </header>
      </section>
      {edited && (
        <ConfigEditor
          key={`${edited.kind} ${edited.version}`}
          {...edited}
          inForce={version}
          acting={{ ...acting, look }}
          onText={(text) => setEdited({ ...edited, text })}
          onClose={() => setEdited(null)}
        />
      )}
      <div class="columns sections">
        {Object.entries(texts).map(([one, text]) => (
          <Section
            key={one}
            kind={one}
            text={text}
            isNamed={one === kind}
            button={<EditButton kind={one} me={acting.me} onEdit={edit} />}
          >
            {one === "calendar" && budget.value && <WeekStrip periods={budget.value.periods} now={now} />}
          </Section>
        ))}
      </div>
      <ConfigVersionList key={version} inForce={version} acting={{ ...acting, look }} now={now} />
    </>
  );
}

/** Another editor would take the place of this one, and of its text. */
function againstLoss(edited: Edited | null): string | null {
  if (!edited || edited.text === edited.original) return null;
  return `Apply or discard your change to ${edited.kind === FILE ? "the configuration" : edited.kind} first.`;
}

function inForce(config: Config, now: number): string {
  if (!config.version) return "Defaults only: no operator has applied a configuration.";
  const author = config.author && `, by ${person(config.author)}`;
  const at = config.applied_at && ` at ${clock(config.applied_at, now)}`;
  return `version ${config.version}${author ?? ""}${at ?? ""}${config.comment && `: ${config.comment}`}`;
}

function EditButton(props: { kind: string; me: Acting["me"]; onEdit: (kind: string) => void }) {
  const objection = againstChange(props.kind, props.me);
  if (!mayConfigure(props.me)) return null;
  const label = props.kind === FILE ? "Edit as a file" : "Edit";
  return (
    <button
      type="button"
      aria-disabled={Boolean(objection)}
      title={objection ?? "Nothing changes until you apply it."}
      onClick={() => props.onEdit(props.kind)}
    >
      {label}
      <span class="unseen">
        {" "}
        {props.kind} {objection}
      </span>
    </button>
  );
}

function Section(props: {
  kind: string;
  text: string;
  isNamed: boolean;
  button: ComponentChildren;
  children: ComponentChildren;
}) {
  const box = useRef<HTMLElement>(null);
  const title = `section-${props.kind}`;
  useEffect(() => {
    if (props.isNamed) box.current?.scrollIntoView();
  }, [props.isNamed]);
  return (
    <section ref={box} aria-labelledby={title}>
      <header class="section-head">
        <h2 id={title}>{props.kind}</h2>
        <span class="grow" />
        {props.button}
      </header>
      {props.children}
      <TextBlock label={`Section ${props.kind}`}>{props.text}</TextBlock>
    </section>
  );
}
