// Notes on actions, done or refused, with a button to undo if that is possible.

import { useCallback, useRef, useState } from "preact/hooks";
import { Refusal } from "./server.ts";

const SECONDS = 12;

export interface Note {
  id: number;
  text: string;
  remedy: string;
  isBad: boolean;
  way: { label: string; take: () => void } | null;
}

export interface Notes {
  all: readonly Note[];
  tell: (text: string, way?: Note["way"]) => void;
  refuse: (what: string, cause: unknown) => void;
  drop: (id: number) => void;
}

export function useNotes(): Notes {
  const [all, setAll] = useState<readonly Note[]>([]);
  const count = useRef(0);

  const drop = useCallback((id: number) => setAll((notes) => notes.filter((note) => note.id !== id)), []);
  const add = useCallback(
    (note: Omit<Note, "id">) => {
      const id = ++count.current;
      setAll((notes) => [...notes.slice(-3), { ...note, id }]);
      if (!note.isBad) setTimeout(() => drop(id), SECONDS * 1000); // a refusal stays until it is closed
    },
    [drop],
  );

  const tell = useCallback(
    (text: string, way: Note["way"] = null) => add({ text, remedy: "", isBad: false, way }),
    [add],
  );
  const refuse = useCallback(
    (what: string, cause: unknown) => {
      const remedy = cause instanceof Refusal ? cause.remedy : "";
      const message = cause instanceof Error ? cause.message : String(cause);
      add({ text: `${what}: ${message}`, remedy, isBad: true, way: null });
    },
    [add],
  );
  return { all, tell, refuse, drop };
}

export function NoteList({ notes }: { notes: Notes }) {
  return (
    <div class="notes" role="log" aria-label="Notifications">
      {notes.all.map((note) => (
        <div key={note.id} class={`note ${note.isBad ? "bad" : ""}`} role={note.isBad ? "alert" : "status"}>
          <p>
            {note.text}
            {note.remedy && <span class="quiet"> {note.remedy}</span>}
          </p>
          {note.way && (
            <button
              type="button"
              onClick={() => {
                note.way?.take();
                notes.drop(note.id);
              }}
            >
              {note.way.label}
            </button>
          )}
          <button type="button" class="plain" aria-label="Dismiss" onClick={() => notes.drop(note.id)}>
            ×
          </button>
        </div>
      ))}
    </div>
  );
}
