// Whether the page is hosted, and where its sign-in and its queue are. `sagequeue ui` serves null in this file.

export interface Hosted {
  /** The queue's API, without a slash at the end. */
  api: string;
  region: string;
  /** The sign-in page of the user pool. */
  sign_in: string;
  client: string;
  /** The user pool's name as a provider of the identity pool, such as cognito-idp.eu-west-1.amazonaws.com/eu-west-1_Ab. */
  user_pool: string;
  identities: string;
  identity_pool: string;
}

/** The hosted page, and the person that this tab acts for until it loads again. */
export interface SignedIn {
  hosted: Hosted;
  person: string;
}

/** Returns the settings of the hosted page; null if the page has its own server. */
export async function hostedSettings(): Promise<Hosted | null> {
  const answer = await fetch("/hosted.json").catch(() => null);
  return answer?.ok ? ((await answer.json()) as Hosted | null) : null;
}
