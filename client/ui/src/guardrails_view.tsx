// The guardrails view: the rules for jobs, the jobs that break one now, and jobs started outside the queue.

import type { Finding, Listing, Rules } from "./contract.ts";
import { Warnings } from "./job_view.tsx";
import { useNow, usePolled } from "./polling.ts";
import { linkTo } from "./route.ts";
import { read } from "./server.ts";
import { Trouble } from "./trouble.tsx";
import { clock, person, since, why } from "./words.ts";

interface Rule {
  name: string;
  kind: string;
  mode?: string;
  applies_to?: Record<string, unknown>;
  [parameter: string]: unknown;
}

interface Exemption {
  rules: string[];
  owner: string;
  reason: string;
  expires_at: string;
}

interface RulesDocument {
  rules?: Rule[];
  exemptions?: Exemption[];
}

export function GuardrailsView() {
  const now = useNow(10_000);
  const rules = usePolled(() => read<Rules>("rules"), "rules");
  const findings = usePolled(() => read<{ findings: Finding[] }>("findings"), "findings");
  const parked = usePolled(() => read<Listing>("jobs", { state: "parked" }), "parked");
  const errors = [rules.error, findings.error, parked.error].filter((error) => error !== null);
  return (
    <>
      <h1 class="unseen">Guardrails</h1>
      {errors[0] && <Trouble error={errors[0]} />}
      {rules.value ? <InForce rules={rules.value} now={now} /> : <p class="empty">Loading …</p>}
      <section aria-labelledby="parked-title">
        <header class="section-head">
          <h2 id="parked-title">Parked</h2>
          <span class="quiet">Jobs that cannot start without a change.</span>
        </header>
        <Parked jobs={parked.value?.jobs ?? []} now={now} />
      </section>
      <section aria-labelledby="findings-title">
        <header class="section-head">
          <h2 id="findings-title">Started outside the queue</h2>
          <span class="quiet">Jobs that break a rule; kept for 180 days.</span>
        </header>
        <Findings findings={findings.value?.findings ?? []} now={now} />
      </section>
    </>
  );
}

function InForce({ rules, now }: { rules: Rules; now: number }) {
  const document = parsed(rules.text);
  const by = rules.changed_by ? `, by ${person(rules.changed_by)} at ${clock(rules.changed_at ?? "", now)}` : "";
  return (
    <section aria-labelledby="rules-title">
      <header class="section-head">
        <h2 id="rules-title">Rules</h2>
        <span class="quiet">{rules.version ? `version ${rules.version}${by}` : "default"}</span>
      </header>
      {document?.rules?.length ? (
        <table>
          <thead>
            <tr>
              <th scope="col">Rule</th>
              <th scope="col">Kind</th>
              <th scope="col">Mode</th>
              <th scope="col">Parameters</th>
              <th scope="col">Applies to</th>
              <th scope="col">Exempt</th>
            </tr>
          </thead>
          <tbody>
            {document.rules.map((rule) => (
              <tr key={rule.name}>
                <th scope="row">{rule.name}</th>
                <td>{rule.kind.replaceAll("_", " ")}</td>
                <td>
                  <span class={`mode ${rule.mode ?? "enforce"}`}>{rule.mode ?? "enforce"}</span>
                </td>
                <td class="wraps">{said(parameters(rule))}</td>
                <td class="wraps">{rule.applies_to ? said(rule.applies_to) : "all jobs"}</td>
                <td class="wraps">{exemptions(rule, document.exemptions ?? [])}</td>
              </tr>
            ))}
          </tbody>
        </table>
      ) : (
        <p class="nothing quiet">
          {document
            ? "No rules. Set them with `sagequeue rules apply`."
            : "This page cannot read the rules; `sagequeue rules show` prints them."}
        </p>
      )}
    </section>
  );
}

function parsed(text: string): RulesDocument | null {
  try {
    return JSON.parse(text) as RulesDocument;
  } catch {
    return null;
  }
}

function parameters(rule: Rule): Record<string, unknown> {
  const { name: _name, kind: _kind, mode: _mode, applies_to: _appliesTo, ...others } = rule;
  return others;
}

function said(what: Record<string, unknown>): string {
  const parts = Object.entries(what).map(([key, value]) => `${key.replaceAll("_", " ")} ${plain(value)}`);
  return parts.join("; ");
}

function plain(value: unknown): string {
  if (Array.isArray(value)) return value.map(plain).join(", ");
  if (typeof value !== "object" || value === null) return String(value);
  const parts = Object.entries(value).map(([key, one]) => (key === "values" ? plain(one) : `${key} ${plain(one)}`));
  return parts.join(", ");
}

function exemptions(rule: Rule, all: readonly Exemption[]): string {
  const own = all.filter((one) => one.rules.includes(rule.name));
  return own.map((one) => `${one.reason} (${one.owner}, until ${one.expires_at})`).join("; ");
}

function Parked({ jobs, now }: { jobs: Listing["jobs"]; now: number }) {
  if (!jobs.length) return <p class="nothing quiet">None.</p>;
  return (
    <table>
      <thead>
        <tr>
          <th scope="col">Job</th>
          <th scope="col">Owner</th>
          <th scope="col" class="number">
            Age
          </th>
          <th scope="col">Why</th>
        </tr>
      </thead>
      <tbody>
        {jobs.map((job) => (
          <tr key={job.name}>
            <th scope="row">
              <a href={linkTo(job.name)}>{job.name}</a>
            </th>
            <td title={job.owner}>{person(job.owner)}</td>
            <td class="number">{since(job.submitted_at, now)}</td>
            <td class="wraps">{why(job)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function Findings({ findings, now }: { findings: readonly Finding[]; now: number }) {
  if (!findings.length) return <p class="nothing quiet">None.</p>;
  return (
    <table>
      <thead>
        <tr>
          <th scope="col">Training job</th>
          <th scope="col">Created</th>
          <th scope="col">Reaction</th>
          <th scope="col">Broken rules</th>
        </tr>
      </thead>
      <tbody>
        {findings.map((finding) => (
          <tr key={finding.created_at + finding.name}>
            <th scope="row">{finding.name}</th>
            <td class="quiet">{clock(finding.created_at, now)}</td>
            <td>{finding.stopped ? "stopped" : "reported"}</td>
            <td class="wraps">
              <Warnings warnings={finding.violations} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
