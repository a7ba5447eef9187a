// The page's calls as calls of the queue's API, for the hosted page, which has no server of its own.

import { directBatches } from "./direct_batches.ts";
import { directConfig } from "./direct_config.ts";
import { Refusal } from "./refusal.ts";
import type { Transport } from "./server.ts";
import type { SignedCall } from "./signed_calls.ts";

/** Jobs in one page of a list: the API's maximum. */
const PAGE = "200";
const LOCAL = new Refusal(
  "only_local",
  "The hosted page does not show this.",
  "Use `sagequeue ui` or the command line.",
);

/** A call of the API, whose answer is its JSON. Throws the refusal. */
export type Call = (
  method: string,
  path: string,
  body?: string | null,
  signal?: AbortSignal | null,
) => Promise<unknown>;

export function directCalls(signed: SignedCall): Transport {
  const call: Call = async (method, path, body = null, signal = null) =>
    contentOf(await signed(method, path, body, signal));
  const batches = directBatches(call);
  const config = directConfig(call);

  return (method, address, body, signal) => {
    const [path = "", text = ""] = address.split("?");
    const query = new URLSearchParams(text);
    const [noun, name, verb] = path.split("/");
    if (/^jobs\/[^/]+\/(log|metrics|trials)$/.test(path) || ["usage", "report"].includes(path)) throw LOCAL;
    if (noun === "batches") return batches(method, name ?? "", verb ?? "", body);
    if (noun === "config") return config(method, path, query, body, signal);
    if (path === "jobs") query.set("limit", PAGE);
    if (path === "submit") return call("POST", "/jobs", submissionOf(body), signal);
    if (path === "what-if") return call("POST", "/what-if", submissionOf(body), signal);
    return call(method, query.size ? `/${path}?${query}` : `/${path}`, body, signal);
  };
}

async function contentOf(answer: Response): Promise<unknown> {
  const content = await answer.json().catch(() => ({}));
  if (answer.ok) return content;
  if (content.error) throw new Refusal(content.error, content.message, content.remedy, content);
  const said = String(content.message ?? content.Message ?? ""); // API Gateway itself refused
  if (/not authorized|explicit deny/.test(said))
    throw new Refusal("not_permitted", "Your group may not do this.", "Ask the person who manages the page's users.");
  if (/signature/i.test(said))
    throw new Refusal("signature", "AWS refused the signature.", "Check this machine's clock, and sign in again.");
  throw new Refusal("refused", said || `The queue's API answered ${answer.status}.`, "Try again.");
}

/** Returns the body of a submission: the page may hold a request alone, or one with options. */
function submissionOf(body: string | null): string {
  let content: unknown;
  try {
    content = JSON.parse(body ?? "");
  } catch (cause) {
    throw new Refusal("QueueError", `The request is not readable JSON: ${cause}`, "Correct the text.");
  }
  const members = Object.keys(content ?? {})
    .sort()
    .join();
  return JSON.stringify(members === "options,request" ? content : { request: content });
}
