// The teams' shares of the budget now.

import type { BudgetLine, Queue, TeamLine } from "./contract.ts";
import { SectionLink } from "./section_link.tsx";
import { plural, told, total } from "./words.ts";

export function TeamsView({ queue }: { queue: Queue | null }) {
  const teams = Object.entries(queue?.teams ?? {}).sort(([, one], [, other]) => other.weight - one.weight);
  return (
    <>
      <h1 class="unseen">Teams</h1>
      <section aria-labelledby="teams-title">
        <header class="section-head">
          <h2 id="teams-title">Teams</h2>
          <span class="quiet">
            Within one priority, the team with the least recent use by weight starts next; recent use counts more. An
            idle quota is lent to other teams.
          </span>
        </header>
        {queue && !teams.length && (
          <p class="empty">
            The queue has no teams: priority and age decide. Set teams in <SectionLink kind="shares" />.
          </p>
        )}
        {queue && teams.length > 0 && <Teams teams={teams} budget={queue.budget} />}
      </section>
    </>
  );
}

function Teams({ teams, budget }: { teams: [string, TeamLine][]; budget: Record<string, BudgetLine> }) {
  const weights = teams.reduce((sum, [, team]) => sum + team.weight, 0);
  const held = teams.reduce((sum, [, team]) => sum + total(team.running), 0);
  const limit = Object.values(budget).reduce((sum, line) => sum + line.limit, 0);
  return (
    <table class="cards wide">
      <thead>
        <tr>
          <th scope="col">Team</th>
          <th scope="col" class="number">
            Weight
          </th>
          <th scope="col">Running, and share by weight</th>
          <th scope="col">Running on</th>
          <th scope="col">Quota</th>
          <th scope="col">Borrowed</th>
          <th
            scope="col"
            class="number"
            title="Recent use counts more; running attempts count with their expected run time"
          >
            Recent use
          </th>
          <th scope="col" class="number">
            By weight
          </th>
          <th scope="col" class="number">
            Waiting
          </th>
        </tr>
      </thead>
      <tbody>
        {teams.map(([name, team]) => (
          <tr key={name}>
            <th scope="row">{name}</th>
            <td class="number" data-label="weight">
              {team.weight}
            </td>
            <td>
              <Share held={total(team.running)} all={held} limit={limit} due={team.weight / weights} />
            </td>
            <td class="wraps" data-label="running on">
              {told(team.running) || <Nothing />}
            </td>
            <td class="wraps" data-label="quota">
              {told(team.quota) || <Nothing />}
              <span class="quiet"> {limits(team).join(", ")}</span>
            </td>
            <td class="wraps" data-label="borrowed">
              {Object.keys(team.quota).length ? told(borrowed(team)) || <Nothing /> : <Nothing />}
            </td>
            <td class="number" data-label="recent use">
              {usage(team, 1)}
            </td>
            <td class="number" data-label="by weight">
              {usage(team, team.weight)}
            </td>
            <td class="number" data-label="waiting">
              {team.queued}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** The team's running instances as a bar over the whole budget, and a mark at its share by weight of all running ones. */
function Share({ held, all, limit, due }: { held: number; all: number; limit: number; due: number }) {
  const percent = (part: number) => `${Math.round(part * 100)} %`;
  const said = `${plural(held, "instance")} of ${all} that teams run; ${percent(due)} by weight`;
  return (
    <span class="share">
      <span class="track" role="img" aria-label={said} title={said}>
        <span class="bar running" style={{ left: "0", width: limit ? `${Math.min(1, held / limit) * 100}%` : "0" }} />
        {all > 0 && <span class="due" style={{ left: `${Math.min(1, (due * all) / limit) * 100}%` }} />}
      </span>
      <span class="quiet">
        {all > 0 && `${percent(held / all)}, `}due {percent(due)}
      </span>
    </span>
  );
}

/** In hours, weighted by type. Among waiting teams, the one with the least use by weight is next. */
function usage(team: TeamLine, weight: number): string {
  const seconds = team.used_weighted_seconds;
  return seconds === undefined ? "" : `${(seconds / 3600 / weight).toFixed(1)} h`;
}

function Nothing() {
  return <span class="quiet">none</span>;
}

/** The limits that operators set on the team's lending and borrowing, and its own settings. */
function limits(team: TeamLine): string[] {
  const each = (counts: Record<string, number>, said: (instances: string) => string) =>
    Object.entries(counts).map(([kind, count]) => said(`${count} × ${kind}`));
  return [
    ...each(team.lend, (instances) => `lends ${instances}`),
    ...each(team.borrow_at_most, (instances) => `borrows up to ${instances}`),
    ...each(team.ceiling, (instances) => `up to ${instances} in all`),
    ...Object.entries(team.settings).map(([name, value]) => `${name.replaceAll("_", " ")} ${value}`),
  ];
}

/** The instances beyond the team's quota. */
function borrowed(team: TeamLine): Record<string, number> {
  const beyond = Object.entries(team.running).map(([kind, count]) => [kind, count - (team.quota[kind] ?? 0)] as const);
  return Object.fromEntries(beyond.filter(([, count]) => count > 0));
}
