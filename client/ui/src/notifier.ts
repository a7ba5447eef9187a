// Desktop notifications about one's own jobs. They are off until the user turns them on, in this browser and for this port.

import { useEffect, useState } from "preact/hooks";
import type { Job, Listing } from "./contract.ts";
import type { Notes } from "./notes.tsx";
import { changedJobs, type Known, knownOf, WATCHED } from "./own_jobs.ts";
import { linkTo } from "./route.ts";
import { read } from "./server.ts";
import { why } from "./words.ts";

const KEY = "notify";
/** Milliseconds between two looks, also while the page is hidden: a notification is for somebody who does not see it. */
const EVERY = 30_000;

export interface Notifier {
  isOn: boolean;
  toggle: () => Promise<void>;
}

export function useNotifier(notes: Notes): Notifier {
  const [isOn, setOn] = useState(() => localStorage.getItem(KEY) === "on" && isAllowed());

  useEffect(() => {
    if (!isOn) return;
    let known: Known | null = null;
    let timer = 0;
    let isOver = false;
    async function look(): Promise<void> {
      try {
        const { jobs } = await read<Listing>("jobs", { mine: "true", state: WATCHED.join() });
        if (isOver) return;
        for (const job of changedJobs(known, jobs)) show(job);
        known = knownOf(jobs, known);
      } catch {
        // The page's other calls show the error.
      }
      if (!isOver) timer = window.setTimeout(look, EVERY);
    }
    void look();
    return () => {
      isOver = true;
      clearTimeout(timer);
    };
  }, [isOn]);

  async function toggle(): Promise<void> {
    const wanted = !isOn && (await isAllowedByUser());
    if (!isOn && !wanted)
      notes.tell("The browser does not allow notifications from this page: change it in its settings.");
    localStorage.setItem(KEY, wanted ? "on" : "off");
    setOn(wanted);
  }
  return { isOn, toggle };
}

function isAllowed(): boolean {
  return "Notification" in window && Notification.permission === "granted";
}

async function isAllowedByUser(): Promise<boolean> {
  if (!("Notification" in window)) return false;
  return (await Notification.requestPermission()) === "granted";
}

function show(job: Job): void {
  const tag = `${job.name} ${job.state}`; // two tabs of the page show one notification
  const shown = new Notification(`${job.name}: ${job.state}`, { body: why(job, Date.now()), tag });
  shown.onclick = () => {
    window.focus();
    location.hash = linkTo(job.name);
  };
}
