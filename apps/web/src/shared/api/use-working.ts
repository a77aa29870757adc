import { useEffect } from 'react';
import { todayEndpoints, type Presence } from '@clinic/contract';
import type { IsoDate, Location } from '@clinic/domain';
import { useOnlyReads } from '../session/session-info.ts';
import { afterFrame } from '../after-frame.ts';
import { call } from './client.ts';
import { onStreamOpen, TAB } from './live-events.ts';

type Work = Pick<Presence, 'location' | 'date' | 'what'>;

let last: Promise<unknown> = Promise.resolve();
/**
 * Reports to the server what this tab is working on. Reports are sent one after another, so that the newest wins. If a
 * report fails, colleagues do not see the work, but nothing else is lost.
 */
function show(work: Work | null): void {
  last = last.then(() =>
    call(todayEndpoints.showPresence, { body: { tab: TAB, work }, background: true, on401: 'throw' }).catch(
      () => undefined,
    ),
  );
}

/**
 * While the component is mounted, shows colleagues what this tab is working on. The report waits for the next frame,
 * so that it does not delay what has just been opened.
 */
export function useWorking(what: Work['what'], location: Location, date: IsoDate | null): void {
  // Whoever only reads is in nobody's way.
  const reads = useOnlyReads();
  useEffect(() => {
    if (date === null || reads) return;
    const work = { location, date, what };
    const cancel = afterFrame(() => show(work));
    // When the event stream is lost, the server forgets what this tab reported, so the tab reports it again.
    const off = onStreamOpen(() => show(work));
    return () => {
      cancel();
      off();
      show(null);
    };
  }, [what, location, date, reads]);
}
