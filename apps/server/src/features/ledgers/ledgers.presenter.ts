import { formatTime } from '@clinic/domain';
import type { CareReply, CareSession as ShownCareSession, HoursReply, LedgerSession } from '@clinic/contract';
import { mayWorkAt } from '../../platform/access/caller.ts';
import type { CareLedger, CareSession } from './care.service.ts';
import type { HoursLedger, HoursSession } from './hours.service.ts';

export function presentHours({ from, until, rows, without }: HoursLedger): HoursReply {
  return {
    from,
    until,
    rows: rows.map(({ id, display_name, specialization, hours, limits, worked, left }) => ({
      ...{ id, name: display_name, credential: specialization },
      ...{ booked: hours.week, worked, cover_7: hours.cover7, cover_28: hours.cover28 },
      ...{ most: limits.week, guaranteed: limits.guaranteed, left },
    })),
    off:
      without === 0
        ? []
        : [
            {
              rule: 'credential',
              people: without,
              words: `${without} RBTs and BCBAs have no credential dates: rule off for them.`,
            },
          ],
  };
}

/** Clients of locations that the caller may not see stay unnamed. */
export const presentSession = (caller: Parameters<typeof mayWorkAt>[0], session: HoursSession): LedgerSession => ({
  ...{ key: session.id, location: session.location, date: session.date },
  ...{ start: formatTime(session.start), end: formatTime(session.end), subject: session.subject, cover: session.cover },
  client: mayWorkAt(caller, session.location) ? session.client : null,
});

export const presentCare = ({ from, until, rows }: CareLedger): CareReply => ({
  from,
  until,
  rows: rows.map(({ id, name, booked, delivered, priority, byHand }) => ({
    ...{ id, name, booked, delivered, lost: booked - delivered, priority, by_hand: byHand },
  })),
});

export const presentCareSession = (session: CareSession): ShownCareSession => ({
  ...{ key: session.id, location: session.location, date: session.date, subject: session.subject },
  ...{ start: formatTime(session.start), end: formatTime(session.end) },
  ...{ booked: session.booked, delivered: session.delivered },
});
