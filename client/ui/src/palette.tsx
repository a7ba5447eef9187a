// Ctrl+K: goes to a view, a job, or a filtered list by typing a part of its name.

import { useEffect, useRef, useState } from "preact/hooks";
import { maySubmit } from "./actions.ts";
import type { Listing, Queue, WhoAmI } from "./contract.ts";
import { linkTo, linkToCopy, VIEWS } from "./route.ts";
import { savedViews } from "./saved_views.ts";
import { read } from "./server.ts";

/** Milliseconds without a further letter before the queue is asked for jobs. */
const PAUSE = 200;
const MOST_JOBS = 8;
const MOST_SHOWN = 14;

interface Target {
  label: string;
  address: string;
}

export function Palette({ queue, me }: { queue: Queue | null; me: WhoAmI | null }) {
  const [isOpen, setOpen] = useState(false);
  useEffect(() => {
    function onKey(event: KeyboardEvent): void {
      if (event.key.toLowerCase() !== "k" || !(event.ctrlKey || event.metaKey) || event.altKey) return;
      event.preventDefault();
      if (!document.querySelector("dialog[open]")) setOpen(true);
    }
    addEventListener("keydown", onKey);
    return () => removeEventListener("keydown", onKey);
  }, []);
  return isOpen ? <PaletteDialog queue={queue} me={me} onClose={() => setOpen(false)} /> : null;
}

function PaletteDialog({ queue, me, onClose }: { queue: Queue | null; me: WhoAmI | null; onClose: () => void }) {
  const box = useRef<HTMLDialogElement>(null);
  const [text, setText] = useState("");
  const [active, setActive] = useState(0);
  const jobs = useJobNames(text.trim());
  useEffect(() => box.current?.showModal(), []);
  const targets = [...fixedTargets(queue, me), ...jobs.flatMap((name) => jobTargets(name, me))];
  const shown = targets.filter(({ label }) => isMatch(label, text)).slice(0, MOST_SHOWN);
  const current = Math.min(active, shown.length - 1);

  function go(target: Target | undefined): void {
    if (!target) return;
    location.hash = target.address;
    box.current?.close();
    onClose(); // now, since the event "close" comes later, and Ctrl+K in between would do nothing
  }

  function onKeyDown(event: KeyboardEvent): void {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step) setActive((current + step + shown.length) % Math.max(1, shown.length));
    else if (event.key === "Enter") go(shown[current]);
    else return;
    event.preventDefault();
  }

  return (
    <dialog ref={box} class="palette" aria-label="Go to" onClose={() => box.current && onClose()}>
      <input
        type="text"
        role="combobox"
        aria-label="View, job or team"
        aria-expanded="true"
        aria-controls="palette-targets"
        aria-activedescendant={shown.length ? `target-${current}` : undefined}
        autocomplete="off"
        placeholder="View, job or team …"
        value={text}
        onInput={(event) => {
          setText(event.currentTarget.value);
          setActive(0);
        }}
        onKeyDown={onKeyDown}
      />
      <div id="palette-targets" role="listbox" aria-label="Targets">
        {shown.map((target, index) => (
          // biome-ignore lint/a11y/useKeyWithClickEvents: the keys are those of the field above
          // biome-ignore lint/a11y/useFocusableInteractive: the focus stays in the field above
          <div
            key={target.address}
            id={`target-${index}`}
            role="option"
            aria-selected={index === current}
            onClick={() => go(target)}
          >
            {target.label}
          </div>
        ))}
      </div>
      {!shown.length && <p class="quiet">Nothing has this name.</p>}
    </dialog>
  );
}

/** Returns the names of jobs that begin with the text; none for an empty one. */
function useJobNames(text: string): readonly string[] {
  const [found, setFound] = useState<{ text: string; names: string[] }>({ text: "", names: [] });
  useEffect(() => {
    if (!text) return;
    let isOver = false;
    const timer = setTimeout(() => {
      read<Listing>("jobs", { name: text }).then(
        ({ jobs }) => isOver || setFound({ text, names: jobs.slice(0, MOST_JOBS).map((job) => job.name) }),
        () => {}, // the page's other calls show the error
      );
    }, PAUSE);
    return () => {
      isOver = true;
      clearTimeout(timer);
    };
  }, [text]);
  return text && found.text && text.startsWith(found.text) ? found.names : [];
}

function fixedTargets(queue: Queue | null, me: WhoAmI | null): Target[] {
  const views = Object.entries(VIEWS).filter(([view]) => view !== "submit" || maySubmit(me));
  return [
    ...views.map(([view, label]) => ({ label, address: `#/${view}` })),
    { label: "My jobs", address: "#/now?mine=true" },
    { label: "My waiting jobs", address: "#/now?mine=true&state=pending%2Cpreempted" },
    { label: "Running jobs", address: "#/now?state=launching%2Crunning%2Cstopping" },
    { label: "Waiting jobs", address: "#/now?state=pending%2Cpreempted" },
    { label: "Held or parked jobs", address: "#/now?state=held%2Cparked" },
    ...Object.keys(queue?.teams ?? {}).map((team) => ({
      label: `Jobs of team ${team}`,
      address: `#/now?team=${encodeURIComponent(team)}`,
    })),
    ...savedViews().map(({ name, address }) => ({ label: `Saved view ${name}`, address })),
  ];
}

function jobTargets(name: string, me: WhoAmI | null): Target[] {
  const job = { label: name, address: linkTo(name) };
  return maySubmit(me) ? [job, { label: `Submit ${name} again`, address: linkToCopy(name) }] : [job];
}

/** Every word is in the label. */
function isMatch(label: string, text: string): boolean {
  const words = text.toLowerCase().split(/\s+/);
  return words.every((word) => label.toLowerCase().includes(word));
}
