// Finds a searched text in a line of a log.

/** Returns the line in parts: every second one is the searched text, in the case of the line. */
export function parted(line: string, search: string): string[] {
  if (!search) return [line];
  const parts: string[] = [];
  const [text, wanted] = [line.toLowerCase(), search.toLowerCase()];
  let from = 0;
  for (let at = text.indexOf(wanted); at >= 0; at = text.indexOf(wanted, from)) {
    parts.push(line.slice(from, at), line.slice(at, at + wanted.length));
    from = at + wanted.length;
  }
  return [...parts, line.slice(from)];
}
