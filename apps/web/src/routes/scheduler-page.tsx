import { useEffect, useRef } from 'react';
import { TEXTS } from '@clinic/contract';
import { Page } from '../shared/ui/page.tsx';
import { legacyPolicy } from '../features/timeslots/trusted-content.ts';
import css from '../features/timeslots/legacy-scheduler.module.css';

/** The Scheduler page (LEG-01): a header, and the legacy page below it. */
export function SchedulerPage() {
  return (
    <Page title="Scheduler" toolbar={<h1>Scheduler</h1>}>
      <LegacyScheduler />
    </Page>
  );
}

const PAGE = '/legacy/index.html';
const SCRIPT = '/legacy/app.js';

/** Counts visits to the page. A module script runs only once per address, so every visit needs a new address. */
let visits = 0;

async function insertLegacyPage(area: HTMLElement, signal: AbortSignal): Promise<void> {
  const response = await fetch(PAGE, { signal });
  if (!response.ok) throw new Error(`${PAGE}: ${response.status}`);
  const text = await response.text();
  if (signal.aborted) return;
  area.innerHTML = legacyPolicy().createHTML(text);
  const script = document.createElement('script');
  script.type = 'module';
  const loaded = new Promise<void>((resolve, reject) => {
    script.addEventListener('load', () => resolve());
    script.addEventListener('error', () => reject(new Error(`${SCRIPT} did not load`)));
  });
  visits++;
  script.src = legacyPolicy().createScriptURL(visits === 1 ? SCRIPT : `${SCRIPT}?visit=${visits}`);
  area.append(script);
  await loaded;
}

/** Shows the legacy page (LEG-01): inserts its HTML, then appends its script. A failure is only logged (LEG-02). */
function LegacyScheduler() {
  const area = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const element = area.current;
    if (!element) return;
    const stop = new AbortController();
    insertLegacyPage(element, stop.signal).catch((error: unknown) => {
      if (!stop.signal.aborted) console.error(TEXTS.legacyFailed, error);
    });
    return () => {
      stop.abort();
      element.replaceChildren();
    };
  }, []);
  return <div ref={area} className={css.sheet} />;
}
