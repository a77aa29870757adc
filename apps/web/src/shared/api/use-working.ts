import { useEffect } from 'react';
import { todayEndpoints, type Presence } from '@clinic/contract';
import type { IsoDate, Location } from '@clinic/domain';
import { call } from './client.ts';
import { onStreamOpen, TAB } from './live-events.ts';

type Work = Pick<Presence, 'location' | 'date' | 'what'>;

let last: Promise<unknown> = Promise.resolve();
/** One after the other, so that the newest counts. A failure only means that others do not see it. */
function show(work: Work | null): void {
  last = last.then(() =>
    call(todayEndpoints.showPresence, { body: { tab: TAB, work }, background: true, on401: 'throw' }).catch(
      () => undefined,
    ),
  );
}

/** Shows colleagues what is being worked on here while the component is on the page. */
export function useWorking(what: Work['what'], location: Location, date: IsoDate | null): void {
  useEffect(() => {
    if (date === null) return;
    const work = { location, date, what };
    show(work);
    // With a lost stream, the server ends what the page showed.
    const off = onStreamOpen(() => show(work));
    return () => {
      off();
      show(null);
    };
  }, [what, location, date]);
}
