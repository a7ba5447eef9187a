// What the list of jobs shows: its order, its columns, the list as a file, and views that were given a name.

import { useState } from "preact/hooks";
import { COLUMNS, USUAL } from "./columns.tsx";
import type { Notifier } from "./notifier.ts";
import { dropView, keepView, savedViews } from "./saved_views.ts";

interface MenuProps {
  notifier: Notifier;
  columns: readonly string[];
  sort: string;
  onColumns: (columns: string) => void;
  onSort: (sort: string) => void;
  onFile: () => Promise<void>;
}

const MENU = "view-menu";

export function ViewMenu({ notifier, columns, sort, onColumns, onSort, onFile }: MenuProps) {
  const [isBusy, setBusy] = useState(false);

  function choose(key: string, isChosen: boolean): void {
    const chosen = Object.keys(COLUMNS).filter((one) => (one === key ? isChosen : columns.includes(one)));
    onColumns(chosen.join() === USUAL.join() ? "" : chosen.join());
  }

  async function save(): Promise<void> {
    setBusy(true);
    await onFile();
    setBusy(false);
  }

  return (
    <>
      <button type="button" popovertarget={MENU}>
        View…
      </button>
      {/* biome-ignore lint/a11y/useSemanticElements: it is no form of its own */}
      <div id={MENU} popover="auto" class="menu" role="group" aria-label="View of the list">
        <label>
          Sort by{" "}
          <select value={sort} onChange={(event) => onSort(event.currentTarget.value)}>
            <option value="">order of the queue</option>
            {Object.entries(COLUMNS).flatMap(([key, { label, order }]) =>
              order
                ? [
                    <option key={key} value={key}>
                      {label} ↑
                    </option>,
                    <option key={`-${key}`} value={`-${key}`}>
                      {label} ↓
                    </option>,
                  ]
                : [],
            )}
          </select>
        </label>
        <fieldset>
          <legend>Columns</legend>
          {Object.entries(COLUMNS).map(([key, { label }]) => (
            <label key={key}>
              <input
                type="checkbox"
                checked={columns.includes(key)}
                disabled={key === "name"}
                onChange={(event) => choose(key, event.currentTarget.checked)}
              />{" "}
              {label === "#" ? "Position" : label}
            </label>
          ))}
        </fieldset>
        <SavedViews />
        <label class="menu-row">
          <input type="checkbox" checked={notifier.isOn} onChange={() => void notifier.toggle()} /> Desktop
          notifications about my jobs
        </label>
        <div class="answers">
          <button type="button" aria-busy={isBusy} onClick={() => void save()}>
            Download as CSV
          </button>
          <button type="button" popovertarget={MENU} popovertargetaction="hide">
            Close
          </button>
        </div>
      </div>
    </>
  );
}

function SavedViews() {
  const [views, setViews] = useState(savedViews);
  const [name, setName] = useState("");

  function save(): void {
    if (!name.trim()) return;
    setViews(keepView(name.trim(), location.hash));
    setName("");
  }

  return (
    <fieldset>
      <legend>Saved views</legend>
      {views.map((view) => (
        <span key={view.name} class="saved-view">
          <a class="link" href={view.address}>
            {view.name}
          </a>
          <button type="button" class="plain" onClick={() => setViews(dropView(view.name))}>
            ×<span class="unseen"> Forget {view.name}</span>
          </button>
        </span>
      ))}
      <span class="field-row">
        <input
          type="text"
          aria-label="Name of this view"
          placeholder="Name of this view"
          maxLength={60}
          value={name}
          onInput={(event) => setName(event.currentTarget.value)}
        />
        <button type="button" onClick={save}>
          Save
        </button>
      </span>
    </fieldset>
  );
}
