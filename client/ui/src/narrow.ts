// Whether the window is as narrow as a telephone, or as a laptop. The same widths are in the style sheets (narrow.css).

import { useEffect, useState } from "preact/hooks";

const TELEPHONE = matchMedia("(max-width: 640px)");
const LAPTOP = matchMedia("(max-width: 1300px)");

export function useNarrow(): boolean {
  return useMatch(TELEPHONE);
}

/** Returns whether a job's reason has too little room beside the other columns of the list. */
export function useReasonBelow(): boolean {
  return useMatch(LAPTOP);
}

function useMatch(query: MediaQueryList): boolean {
  const [matches, setMatches] = useState(query.matches);
  useEffect(() => {
    const follow = () => setMatches(query.matches);
    query.addEventListener("change", follow);
    return () => query.removeEventListener("change", follow);
  }, [query]);
  return matches;
}
