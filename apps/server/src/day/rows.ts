import type { Loss } from '@clinic/contract';
import { compareNames, compareText, overlaps, type Interval, type PersonKind } from '@clinic/domain';
import type { LeaveTag } from './facts/leaves.ts';
import { presentLoss, type DayLoss } from './facts/losses.ts';
import { isHere, type ClinicDay, type DayAbsence, type DayClient, type DayTherapist } from './facts/day.ts';

/** The people who have a row in the calendar. */
export interface PeopleOfDay {
  readonly therapists: DayTherapist[];
  readonly clients: DayClient[];
}

/**
 * Returns the location's clients and employed therapists, and everyone else who is booked there on the date. Therapists
 * whose sessions a commit gave to someone else are included. Clients whom these therapists see only at other locations
 * are not included.
 */
export function peopleOfDay(day: ClinicDay): PeopleOfDay {
  const here = day.appointments.filter((a) => a.location === day.location && a.status !== 'entered-in-error');
  const booked = new Set(here.flatMap((a) => [a.therapistId ?? '', a.clientId ?? '']));
  const gave = new Set(here.flatMap((a) => (a.occupies ? [a.bookedTherapistId ?? ''] : [])));
  return {
    therapists: day.therapists.filter(
      (t) => booked.has(t.id) || (isHere(t) && (t.location === day.location || gave.has(t.id))),
    ),
    clients: day.clients.filter((c) => booked.has(c.id) || c.location === day.location),
  };
}

/** When someone is away, with their name. An `end` of 1440 means the end of the day. */
export interface AwayPerson extends Interval {
  readonly id: string;
  readonly name: string;
  readonly type: PersonKind;
  /** Whether the person has left the clinic. */
  readonly former: boolean;
  readonly loss?: Loss;
  readonly untold?: boolean;
  readonly leave?: LeaveTag;
}

/** Lists when each of these people is away, every recorded window by itself: therapists first, then by name and time. */
export function awayPeople(day: ClinicDay, people: PeopleOfDay): AwayPerson[] {
  const therapists = new Map(people.therapists.map((t) => [t.id, t]));
  const clients = new Map(people.clients.map((c) => [c.id, c]));
  return day.absences
    .flatMap((absence) => {
      const { id, therapistId, clientId, start, end } = absence;
      const therapist = therapists.get(therapistId ?? '');
      const person = therapist ?? clients.get(clientId ?? '');
      if (!person) return [];
      const type = therapist ? ('therapist' as const) : ('client' as const);
      const { loss, untold, leave } = absence;
      return {
        id,
        name: person.displayName,
        type,
        former: therapist?.deleted ?? false,
        start,
        end,
        ...(loss === undefined ? {} : { loss: shownLoss(day, absence, loss) }),
        ...(untold === undefined ? {} : { untold }),
        ...(leave === undefined ? {} : { leave }),
      };
    })
    .sort((a, b) => compareText(b.type, a.type) || compareNames(a.name, b.name) || a.start - b.start);
}

/** Says why someone is away. Whether their notice was late depends on the first session that the absence affects. */
function shownLoss(day: ClinicDay, absence: DayAbsence, loss: DayLoss): Loss {
  const { therapistId, clientId } = absence;
  const mine = day.appointments.filter((a) =>
    therapistId === null ? a.clientId === clientId : [a.therapistId, a.bookedTherapistId].includes(therapistId),
  );
  const first = mine.filter((a) => overlaps(a, absence)).map((a) => a.start);
  const minutes = first.length === 0 ? absence.start : Math.max(absence.start, Math.min(...first));
  return presentLoss(loss, therapistId === null ? 'family' : 'therapist', { date: day.date, minutes });
}
