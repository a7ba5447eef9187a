// The token that the page got for its link. It is kept where no other port, site or browser can read it; a cookie would
// go to every port of this machine.

const KEY = "pass";
const LINK = "#link=";

/** Exchanges the link in the address for a token, once; a browser that has a token needs no link. */
export async function enter(): Promise<void> {
  if (!location.hash.startsWith(LINK)) return;
  const link = location.hash.slice(LINK.length);
  const answer = await fetch("/api/enter", { method: "POST", body: link }).catch(() => null);
  if (!answer) return; // the page's first call shows that no server answers; the link stays for another try
  history.replaceState(null, "", "#/now"); // so that the back button does not open the link again
  if (answer.ok) localStorage.setItem(KEY, (await answer.json()).pass);
}

export function proof(): Record<string, string> {
  return { Authorization: `Bearer ${localStorage.getItem(KEY) ?? ""}` };
}
