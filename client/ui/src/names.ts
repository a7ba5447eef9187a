// The names of people who sign in at the hosted page. Until a name is known, the page shows the person's id.

/** As the queue answers: the names by the ids in the user pool. */
export interface People {
  people: Record<string, string>;
}

// The queue alone composes ARNs of this form. A user's path in IAM may contain colons, and imitate an ARN's end.
const PERSON = /^arn:aws[a-z-]*:sts::\d{12}:person\/[^/:]+\/([0-9a-f-]{36})$/;

const IN_TEXT = /(?<!\S)arn:aws[a-z-]*:sts::\d{12}:person\/[^\s/:]+\/[0-9a-f-]{36}(?![^\s.,;])/g;

let known: Readonly<Record<string, string>> = {};

export function keepNames(names: Readonly<Record<string, string>>): void {
  known = names;
}

/** Returns the name of a person, or the id if there is none; null for any other caller. */
export function nameOf(arn: string): string | null {
  const id = PERSON.exec(arn)?.[1];
  if (!id) return null;
  return Object.hasOwn(known, id) ? (known[id] ?? id) : id;
}

/** Returns a message of the queue with the names of the people in it. */
export function withNames(message: string): string {
  return message.replace(IN_TEXT, (arn) => nameOf(arn) ?? arn);
}
