// The page: a header with a summary of the queue, and one of the views below it.

import { render } from "preact";
import { Account, Ended, SignedOut } from "./account.tsx";
import type { Acting } from "./acting.tsx";
import { maySubmit } from "./actions.ts";
import { BatchProgress, useBatches } from "./batches.tsx";
import { CapacityView } from "./capacity_view.tsx";
import { ConfigView } from "./config_view.tsx";
import type { Queue, WhoAmI } from "./contract.ts";
import { enter } from "./entering.ts";
import { GuardrailsView } from "./guardrails_view.tsx";
import { HistoryView } from "./history_view.tsx";
import { hostedSettings, type SignedIn } from "./hosted.ts";
import { beginHosted } from "./hosting.ts";
import { focusList } from "./job_table.tsx";
import { JobView } from "./job_view.tsx";
import { Hung, Updated } from "./late.tsx";
import { keepNames, type People } from "./names.ts";
import { NoteList, useNotes } from "./notes.tsx";
import { useNotifier } from "./notifier.ts";
import { NowView } from "./now_view.tsx";
import { Palette } from "./palette.tsx";
import { usePolled } from "./polling.ts";
import { type Route, useRoute, VIEWS } from "./route.ts";
import { read } from "./server.ts";
import { SpendingView } from "./spending_view.tsx";
import { SubmitView } from "./submit_view.tsx";
import { TeamsView } from "./teams_view.tsx";
import { titleOf, useTitle } from "./title.ts";
import { Trouble } from "./trouble.tsx";
import { person } from "./words.ts";

const SELDOM = 60_000;

function Page({ signedIn }: { signedIn: SignedIn | null }) {
  const route = useRoute();
  const notes = useNotes();
  const queue = usePolled(() => read<Queue>("queue"), "queue");
  const me = usePolled(() => read<WhoAmI>("whoami"), "me", SELDOM);
  // New people sign in while the page is open. Without names, for example if IAM refuses, ids are shown.
  const names = usePolled(() => read<People>("people"), "names", SELDOM);
  keepNames(names.value?.people ?? {});
  const batches = useBatches(notes, queue.look);
  const notifier = useNotifier(notes);
  const acting = { me: me.value, notes, batches, notifier, look: queue.look };
  useTitle(titleOf(route, queue.value));
  return (
    <>
      <a class="skip" href={location.hash} onClick={skip}>
        {route.view === "now" ? "To the jobs" : "To the content"}
      </a>
      <Head route={route} queue={queue.value} me={me.value} signedIn={signedIn} />
      <main id="main" tabIndex={-1}>
        {signedIn && <Ended person={signedIn.person} />}
        {queue.error && queue.error.code !== "signed_out" && <Trouble error={queue.error} />}
        <Hung />
        <BatchProgress batches={batches} isHosted={signedIn !== null} />
        {queue.error?.code !== "no_access" && <Shown route={route} queue={queue.value} acting={acting} />}
      </main>
      <NoteList notes={notes} />
      <Palette queue={queue.value} me={me.value} />
    </>
  );
}

/** Moves the focus past the head and the lanes. The address, which names the view, stays as it is. */
function skip(event: Event): void {
  event.preventDefault();
  if (!focusList()) document.getElementById("main")?.focus();
}

function Shown({ route, queue, acting }: { route: Route; queue: Queue | null; acting: Acting }) {
  switch (route.view) {
    case "job":
      return <JobView key={route.job} name={route.job} acting={acting} />;
    case "submit":
      return <SubmitView queue={queue} acting={acting} />;
    case "capacity":
      return <CapacityView queue={queue} />;
    case "teams":
      return <TeamsView queue={queue} />;
    case "spending":
      return <SpendingView />;
    case "history":
      return <HistoryView />;
    case "guardrails":
      return <GuardrailsView />;
    case "configuration":
      return <ConfigView kind={route.kind} acting={acting} />;
    default:
      return <NowView queue={queue} acting={acting} />;
  }
}

interface Heading {
  route: Route;
  queue: Queue | null;
  me: WhoAmI | null;
  signedIn: SignedIn | null;
}

function Head({ route, queue, me, signedIn }: Heading) {
  return (
    <header class="head">
      <a class="brand" href="#/now">
        <img src="/icon.svg" alt="" width="18" height="18" /> SageQueue
      </a>
      <nav aria-label="Views" ref={showCurrent}>
        {viewsOf(me).map(([view, label]) => (
          <a key={view} href={`#/${view}`} aria-current={route.view === view ? "page" : undefined}>
            {label}
          </a>
        ))}
      </nav>
      <span class="grow" />
      <Updated />
      {queue && !queue.intake_open && <strong class="drained">drained: new jobs are refused</strong>}
      {queue && <Counts queue={queue} />}
      {signedIn && <Account {...signedIn} />}
      {me && !signedIn && (
        <span class="quiet me" title={`${me.arn}, may ${me.verbs.join(", ") || "read only"}`}>
          {person(me.arn)}
        </span>
      )}
    </header>
  );
}

function viewsOf(me: WhoAmI | null): [string, string][] {
  return Object.entries(VIEWS).filter(([view]) => view !== "submit" || maySubmit(me));
}

/** On a narrow window the navigation scrolls; the current view is in sight. */
function showCurrent(nav: HTMLElement | null): void {
  const current = nav?.querySelector<HTMLElement>("[aria-current]");
  if (nav && current && nav.scrollWidth > nav.clientWidth)
    nav.scrollLeft = current.offsetLeft - (nav.clientWidth - current.offsetWidth) / 2;
}

function Counts({ queue }: { queue: Queue }) {
  const others = (queue.by_state.held ?? 0) + (queue.by_state.parked ?? 0);
  return (
    <dl class="counts" aria-label="The queue at a glance">
      <div>
        <dt>running</dt>
        <dd>{queue.live}</dd>
      </div>
      <div>
        <dt>waiting</dt>
        <dd>{queue.queued}</dd>
      </div>
      {others > 0 && (
        <div>
          <dt>held or parked</dt>
          <dd>{others}</dd>
        </div>
      )}
    </dl>
  );
}

const hosted = await hostedSettings();
if (hosted) {
  const beginning = await beginHosted(hosted);
  if (beginning.shows === "page") render(<Page signedIn={beginning.signedIn} />, document.body);
  if (beginning.shows === "signed-out")
    render(<SignedOut hosted={hosted} problem={beginning.problem} />, document.body);
} else {
  await enter();
  render(<Page signedIn={null} />, document.body);
}
