// The pass that the link was given for. It is kept where no other port, site or browser can read it; a cookie would go to
// every port of this machine.

const KEY = "pass";
const LINK = "#link=";

/** Gives the link of the address for a pass, once; a browser that has one needs no link. */
export async function enter(): Promise<void> {
  if (!location.hash.startsWith(LINK)) return;
  const link = location.hash.slice(LINK.length);
  const answer = await fetch("/api/enter", { method: "POST", body: link }).catch(() => null);
  if (!answer) return; // the page's first call says that nobody answers; the link stays for another try
  history.replaceState(null, "", "#/now"); // so that nobody opens the link again by going back
  if (answer.ok) localStorage.setItem(KEY, (await answer.json()).pass);
}

export function proof(): Record<string, string> {
  return { Authorization: `Bearer ${localStorage.getItem(KEY) ?? ""}` };
}
