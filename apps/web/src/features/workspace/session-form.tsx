import { useQueryClient } from '@tanstack/react-query';
import type { IsoDate, Location, PersonKind } from '@clinic/domain';
import type { SlotsReply } from '@clinic/contract';
import type { Drawn, SessionSource } from '../book/model.ts';
import { SessionDialog } from '../book/session-dialog.tsx';
import { readDay } from '../calendar/rows.ts';
import { slotsQuery } from '../../shared/api/slots-query.ts';
import { useSessionInfo } from '../../shared/session/session-info.ts';
import { sessionWithKey } from './calendar-bridge.ts';
import type { CoverFlow } from './use-cover-flow.ts';

/** What the dialog is opened for: a session of the day, a new one, or one whose time was drawn. */
export type Opened = SessionSource | 'new' | { readonly drawn: Drawn };

/** The session dialog, for a session of the day or a new one. Loaded when it is first opened. */
export function SessionForm({
  source,
  people,
  location,
  date,
  choosing,
  onClose,
}: {
  source: Opened;
  people: SlotsReply['people'];
  location: Location;
  date: IsoDate;
  choosing: CoverFlow['choosing'];
  onClose: () => void;
}) {
  const queries = useQueryClient();
  const adminClient = useSessionInfo()?.admin_client_name ?? 'Admin';
  const loadSession = async (key: string): Promise<SessionSource | null> => {
    const day = await queries.fetchQuery({ ...slotsQuery(location, date), staleTime: 0 });
    return sessionWithKey(readDay(day, adminClient), key);
  };
  const namesOf = (type: PersonKind): string[] =>
    people.flatMap((person) => (person.type === type ? [person.name] : []));
  return (
    <SessionDialog
      source={source === 'new' || 'drawn' in source ? null : source}
      drawn={source !== 'new' && 'drawn' in source ? source.drawn : undefined}
      location={location}
      date={date}
      choosing={choosing}
      therapists={namesOf('therapist')}
      clients={namesOf('client')}
      loadSession={loadSession}
      onClose={onClose}
    />
  );
}
