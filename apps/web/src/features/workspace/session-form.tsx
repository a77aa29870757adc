import type { IsoDate, Location } from '@clinic/domain';
import type { SlotsReply } from '@clinic/contract';
import type { SessionSource } from '../appointments/model.ts';
import { SessionDialog } from '../appointments/session-dialog.tsx';
import type { CoverFlow } from './use-cover-flow.ts';

/** The session dialog, for a session of the day or a new one. Loaded when it is first opened. */
export function SessionForm({
  source,
  people,
  location,
  date,
  choosing,
  onClose,
}: {
  source: SessionSource | 'new';
  people: SlotsReply['people'];
  location: Location;
  date: IsoDate;
  choosing: CoverFlow['choosing'];
  onClose: () => void;
}) {
  const namesOf = (type: 'therapist' | 'client'): string[] =>
    people.flatMap((person) => (person.type === type ? [person.name] : []));
  return (
    <SessionDialog
      source={source === 'new' ? null : source}
      location={location}
      date={date}
      choosing={choosing}
      therapists={namesOf('therapist')}
      clients={namesOf('client')}
      onClose={onClose}
    />
  );
}
