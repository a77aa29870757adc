import { useEffect } from 'react';
import { todayEndpoints, type Presence } from '@clinic/contract';
import type { IsoDate, Location } from '@clinic/domain';
import { call } from './client.ts';
import { onStreamOpen, TAB } from './live-events.ts';

type Work = Pick<Presence, 'location' | 'date' | 'what'>;

let last: Promise<unknown> = Promise.resolve();
/**
 * Sends the reports one after another, so that the newest wins. A failed report only means that others do not see the
 * work.
 */
function show(work: Work | null): void {
  last = last.then(() =>
    call(todayEndpoints.showPresence, { body: { tab: TAB, work }, background: true, on401: 'throw' }).catch(
      () => undefined,
    ),
  );
}

/** While the component is mounted, shows colleagues what is being worked on here. */
export function useWorking(what: Work['what'], location: Location, date: IsoDate | null): void {
  useEffect(() => {
    if (date === null) return;
    const work = { location, date, what };
    show(work);
    // When the event stream is lost, the server forgets what was reported, so it is reported again.
    const off = onStreamOpen(() => show(work));
    return () => {
      off();
      show(null);
    };
  }, [what, location, date]);
}
