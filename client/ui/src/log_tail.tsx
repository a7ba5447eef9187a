// The last lines of an attempt's log.

import { useLayoutEffect, useRef, useState } from "preact/hooks";
import type { Job, Tail } from "./contract.ts";
import { usePolled } from "./polling.ts";
import { ofJob, read } from "./server.ts";
import { Trouble } from "./trouble.tsx";
import { clock } from "./words.ts";

export function LogTail({ job, now }: { job: Job; now: number }) {
  const [chosen, setChosen] = useState("");
  const last = job.attempts.at(-1)?.name ?? "";
  const attempt = chosen || last;
  const tail = usePolled(() => read<Tail>(ofJob(job.name, "log"), { attempt }), attempt);
  const box = useRef<HTMLDivElement>(null);
  const isAtEnd = useRef(true);

  useLayoutEffect(() => {
    if (box.current && isAtEnd.current) box.current.scrollTop = box.current.scrollHeight;
  });

  const lines = tail.value?.lines ?? [];
  const hosts = new Set(lines.map((line) => line.host));
  return (
    <section aria-labelledby="log-title">
      <header class="section-head">
        <h2 id="log-title">Log</h2>
        <label class="quiet">
          of{" "}
          <select value={attempt} onChange={(event) => setChosen(event.currentTarget.value)}>
            {job.attempts.map((one) => (
              <option key={one.name} value={one.name}>
                {one.name}
              </option>
            ))}
          </select>
        </label>
        <span class="quiet">last lines; `sagequeue logs {job.name}` prints the whole log</span>
      </header>
      {tail.error && <Trouble error={tail.error} />}
      {lines.length ? (
        <div
          class="log"
          ref={box}
          role="log"
          aria-live="off"
          aria-label={`The last lines of ${attempt}`}
          // biome-ignore lint/a11y/noNoninteractiveTabindex: keyboards must reach what scrolls
          tabIndex={0}
          onScroll={({ currentTarget: it }) => {
            isAtEnd.current = it.scrollTop + it.clientHeight >= it.scrollHeight - 8;
          }}
        >
          {lines.map((line, index) => (
            <div key={`${line.at} ${index}`}>
              <time>{clock(line.at, now)}</time>
              {hosts.size > 1 && <span class="quiet">{line.host} </span>}
              {line.text}
            </div>
          ))}
        </div>
      ) : (
        <p class="empty">{tail.value ? "No log lines yet." : "Loading …"}</p>
      )}
    </section>
  );
}
