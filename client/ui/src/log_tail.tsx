// The end of a job's log, which follows from attempt to attempt, and a search in all of it.

import { useLayoutEffect, useRef, useState } from "preact/hooks";
import type { Job, LogLine, LogLines } from "./contract.ts";
import { parted } from "./log_search.ts";
import { useOnce } from "./once.ts";
import { usePolled } from "./polling.ts";
import { ofJob, read } from "./server.ts";
import { Trouble } from "./trouble.tsx";
import { clock, plural } from "./words.ts";

export function LogTail({ job, now }: { job: Job; now: number }) {
  const [attempt, setAttempt] = useState("");
  const [text, setText] = useState("");
  const [search, setSearch] = useState("");
  return (
    <section aria-labelledby="log-title">
      <header class="section-head">
        <h2 id="log-title">Log</h2>
        <label class="quiet">
          of{" "}
          <select value={attempt} onChange={(event) => setAttempt(event.currentTarget.value)}>
            <option value="">all attempts</option>
            {job.attempts.map((one) => (
              <option key={one.name} value={one.name}>
                {one.name}
              </option>
            ))}
          </select>
        </label>
        <form
          onSubmit={(event) => {
            event.preventDefault();
            setSearch(text.trim());
          }}
        >
          <label>
            <span class="unseen">Search the log</span>
            <input
              type="search"
              placeholder="Search the log"
              value={text}
              onInput={(event) => {
                setText(event.currentTarget.value);
                if (!event.currentTarget.value) setSearch("");
              }}
            />
          </label>
        </form>
        {!search && <span class="quiet">last lines; `sagequeue logs {job.name}` prints the whole log</span>}
      </header>
      {search ? (
        <Found job={job} attempt={attempt} search={search} now={now} />
      ) : (
        <Tail job={job} attempt={attempt} now={now} />
      )}
    </section>
  );
}

function Tail({ job, attempt, now }: { job: Job; attempt: string; now: number }) {
  const tail = usePolled(() => read<LogLines>(ofJob(job.name, "log"), { attempt }), attempt);
  return (
    <>
      {tail.error && <Trouble error={tail.error} />}
      {tail.value?.lines.length ? (
        <Lines lines={tail.value.lines} label={`The last lines of ${attempt || "all attempts"}`} search="" now={now} />
      ) : (
        <p class="empty">{tail.value ? "No log lines yet." : "Loading …"}</p>
      )}
    </>
  );
}

function Found({ job, attempt, search, now }: { job: Job; attempt: string; search: string; now: number }) {
  const load = () => read<LogLines>(ofJob(job.name, "log"), { attempt, search });
  const { value, error } = useOnce(load, `${job.name} ${attempt} ${search}`);
  return (
    <>
      {error && <Trouble error={error} />}
      <p class="nothing quiet" aria-live="polite">
        {!value && !error && "Searching …"}
        {value &&
          `${plural(value.lines.length, "line")} of ${value.read.toLocaleString("en")} ${value.lines.length === 1 ? "has" : "have"} “${search}”` +
            (value.is_whole ? "." : "; earlier lines were not searched.")}
      </p>
      {value && value.lines.length > 0 && (
        <Lines lines={value.lines} label={`Lines with ${search}`} search={search} now={now} />
      )}
    </>
  );
}

/** The lines; follows their end unless the reader has scrolled away from it. */
function Lines(props: { lines: readonly LogLine[]; label: string; search: string; now: number }) {
  const { lines, label, search, now } = props;
  const box = useRef<HTMLDivElement>(null);
  const [isAtEnd, setIsAtEnd] = useState(true);
  useLayoutEffect(() => {
    if (box.current && isAtEnd) box.current.scrollTop = box.current.scrollHeight;
  });
  const several = (of: "host" | "attempt") => new Set(lines.map((line) => line[of])).size > 1;
  const [hasHosts, hasAttempts] = [several("host"), several("attempt")];
  return (
    <div class="log-box">
      <div
        class="log"
        ref={box}
        role="log"
        aria-live="off"
        aria-label={label}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: keyboards must reach what scrolls
        tabIndex={0}
        onScroll={({ currentTarget: it }) => setIsAtEnd(it.scrollTop + it.clientHeight >= it.scrollHeight - 8)}
      >
        {lines.map((line, index) => (
          <div key={`${line.attempt} ${line.at} ${index}`}>
            {hasAttempts && line.attempt !== lines[index - 1]?.attempt && <div class="log-attempt">{line.attempt}</div>}
            <time>{clock(line.at, now)}</time>
            {hasHosts && <span class="quiet">{line.host} </span>}
            {parted(line.text, search).map((part, number) => (number % 2 ? <mark key={number}>{part}</mark> : part))}
          </div>
        ))}
      </div>
      {!isAtEnd && (
        <button type="button" class="to-end" onClick={() => setIsAtEnd(true)}>
          Follow the end
        </button>
      )}
    </div>
  );
}
