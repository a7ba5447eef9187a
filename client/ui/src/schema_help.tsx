// Beside the editor of a section: what it may contain, and templates to insert.

import { useEffect, useState } from "preact/hooks";
import { type Entry, entriesOf, type SchemaNode } from "./config_schema.ts";
import { read } from "./server.ts";

export function SchemaHelp({ kind, onInsert }: { kind: string; onInsert: (text: string) => void }) {
  const [isOpen, setOpen] = useState(false);
  const [chosen, setChosen] = useState(0);
  const schema = useSchema(isOpen);
  const entries = schema ? entriesOf(schema, kind) : [];
  const entry = entries[chosen];
  return (
    <details class="request schema" open={isOpen} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>Fields of {kind}</summary>
      {entry && (
        <>
          <div class="section-head">
            <label>
              Fields of{" "}
              <select value={chosen} onChange={(event) => setChosen(Number(event.currentTarget.value))}>
                {entries.map((one, index) => (
                  <option key={one.label} value={index}>
                    {one.label}
                  </option>
                ))}
              </select>
            </label>
            {entry.template && (
              <button type="button" onClick={() => onInsert(entry.template)}>
                Insert at the cursor
              </button>
            )}
            <span class="quiet">{entry.description}</span>
          </div>
          <Fields entry={entry} />
        </>
      )}
    </details>
  );
}

function Fields({ entry }: { entry: Entry }) {
  return (
    <table class="cards">
      <thead>
        <tr>
          <th scope="col">Field</th>
          <th scope="col">Values</th>
          <th scope="col">Default</th>
        </tr>
      </thead>
      <tbody>
        {entry.fields.map(({ name, values, isRequired, usual }) => (
          <tr key={name}>
            <th scope="row">{name}</th>
            <td class="wraps">{values}</td>
            <td class="quiet">{isRequired ? "required" : usual}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** Returns the schema once it is wanted. It comes with the page's server, so it is the schema of the client's version. */
function useSchema(isWanted: boolean): SchemaNode | null {
  const [schema, setSchema] = useState<SchemaNode | null>(null);
  useEffect(() => {
    if (isWanted && !schema) read<SchemaNode>("config/schema").then(setSchema, () => {}); // other calls show the error
  }, [isWanted]);
  return schema;
}
