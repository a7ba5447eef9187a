// The calls about the configuration at the hosted page, which shows sections as JSON, the form in which the API has them.

import { structuredPatch } from "diff";
import type { Call } from "./direct_calls.ts";

type Sections = Record<string, unknown>;

export function directConfig(call: Call) {
  return async (
    method: string,
    path: string,
    query: URLSearchParams,
    body: string | null,
    signal: AbortSignal | null,
  ): Promise<unknown> => {
    if (path === "config/difference") {
      const [before, after] = await Promise.all([version(query.get("from")), version(query.get("to"))]);
      return { differences: differences(before.sections, after.sections) };
    }
    if (path === "config/schema") return {}; // only the help beside the editor needs it
    const content = await call(method, query.size ? `/${path}?${query}` : `/${path}`, body, signal);
    if (path.endsWith("/plan")) return withDifferences(content as { before: Sections; after: Sections });
    return path === "config" && method === "GET" ? withTexts(content as { sections: Sections }) : content;
  };

  async function version(number: string | null): Promise<{ sections: Sections }> {
    return (await call("GET", number ? `/config?version=${number}` : "/config")) as { sections: Sections };
  }
}

function withTexts(config: { sections: Sections }) {
  const texts = Object.fromEntries(Object.entries(config.sections).map(([kind, section]) => [kind, textOf(section)]));
  return { ...config, text: textOf(config.sections), texts };
}

function withDifferences(plan: { before: Sections; after: Sections }) {
  return { ...plan, differences: differences(plan.before, plan.after) };
}

function differences(before: Sections, after: Sections): Record<string, string[]> {
  const kinds = Object.keys({ ...before, ...after });
  const found = kinds.map((kind) => [kind, linesOf(textIn(before, kind), textIn(after, kind))] as const);
  return Object.fromEntries(found.filter(([, lines]) => lines.length));
}

function linesOf(before: string, after: string): string[] {
  const { hunks } = structuredPatch("", "", before, after, "", "", { context: 3 });
  return hunks.flatMap((hunk, index) => [
    ...(index ? ["…"] : []),
    ...hunk.lines.filter((line) => !line.startsWith("\\")),
  ]);
}

function textIn(sections: Sections, kind: string): string {
  return kind in sections ? textOf(sections[kind]) : "";
}

function textOf(section: unknown): string {
  return `${JSON.stringify(section, null, 2)}\n`;
}
