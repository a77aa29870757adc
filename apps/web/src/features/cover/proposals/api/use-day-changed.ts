import { useCallback, useEffect, useRef, useState } from 'react';
import type { ClinicEvent, ProposalMetadata } from '@clinic/contract';
import { isLocation } from '@clinic/domain';
import { RESYNC, useClinicEvents } from '../../../../shared/api/live-events.ts';
import { queryClient } from '../../../../shared/api/query-client.ts';
import { slotsQuery } from '../../../../shared/api/slots-query.ts';
import { datesOf } from '../table.ts';
import { metadataDetails } from '../../../../shared/api/whole-proposal.ts';

const WORDS: Record<Exclude<ClinicEvent['kind'], 'calls' | 'presence' | 'locations'>, string> = {
  absences: 'Absences were changed.',
  commit: 'Another schedule was submitted.',
  undo: 'A submitted schedule was undone.',
  appointments: 'Appointments were changed.',
  profiles: 'A profile was changed.',
  import: 'Data was imported.',
  resync: 'The calendar was changed.',
};

/**
 * How the day has changed since the open options were made; null when it has not. The day's version is compared, so
 * that the absences just saved with these options do not count as a change.
 * @param reopened whether these options were made earlier and kept, so that the day may have changed before they opened
 */
export function useDayChanged(metadata: ProposalMetadata, reopened: boolean): string | null {
  const revision = `${metadata.proposal}.${metadata.revision}`;
  const [changed, setChanged] = useState<{ revision: string; words: string } | null>(null);
  const latest = useRef(metadata);
  useEffect(() => {
    latest.current = metadata;
  });
  const onEvent = useCallback((event: ClinicEvent) => {
    const { kind } = event;
    // Events about calls, about who is working and about the list of locations change nothing on the day itself.
    if (kind === 'calls' || kind === 'presence' || kind === 'locations') return;
    const { location, proposal, revision: number } = latest.current;
    const { versions } = metadataDetails(latest.current);
    if (!isLocation(location) || (event.location !== undefined && event.location !== location)) return;
    const dates = datesOf(versions).filter((date) => event.dates.length === 0 || event.dates.includes(date));
    for (const date of dates) {
      // Because of the event, the calendar behind the modal has already requested the day. This query waits for the
      // same reply.
      void queryClient
        .fetchQuery(slotsQuery(location, date))
        .then((day) => {
          if (day.version > (versions[date] ?? Infinity))
            setChanged({ revision: `${proposal}.${number}`, words: WORDS[kind] });
        })
        .catch(() => undefined);
    }
  }, []);
  useClinicEvents(onEvent);
  useEffect(() => {
    if (reopened) onEvent(RESYNC);
  }, [reopened, onEvent]);
  return changed?.revision === revision ? changed.words : null;
}
