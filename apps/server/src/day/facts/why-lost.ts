import type { Loss } from '@clinic/contract';
import { intersect, type Interval, type LossSide } from '@clinic/domain';
import type { ClinicDay, DayAbsence, DayAppointment } from './day.ts';
import { presentLoss, type DayLoss } from './losses.ts';

/** A reason why part of a session is lost, and the time that the reason explains. */
export interface Explained extends Interval {
  readonly loss: DayLoss | null;
  /** The party (family or clinic) that is away or that cancelled. */
  readonly side: LossSide;
}

type Explainable = Pick<
  DayAppointment,
  'start' | 'end' | 'clientId' | 'therapistId' | 'bookedTherapistId' | 'occupies' | 'loss'
>;

/**
 * Returns the explanations of a session's lost time, most decisive first: why the session was cancelled, then the
 * absences of the client, of the therapist, and of the therapist originally booked. The cause of a client's absence
 * holds for all of a cancelled session, also if the absence covers only part of it. `absences` must be from the
 * session's date.
 */
export function explanations(session: Explainable, absences: readonly DayAbsence[]): Explained[] {
  const within = (side: LossSide, mine: (absence: DayAbsence) => boolean): Explained[] =>
    absences.filter(mine).flatMap((absence) => {
      const part = intersect(session, absence);
      return part ? [{ ...part, side, loss: absence.loss ?? null }] : [];
    });
  const { start, end, clientId, therapistId, bookedTherapistId } = session;
  const family = within(FAMILY, (absence) => absence.clientId !== null && absence.clientId === clientId);
  const therapists = [therapistId, bookedTherapistId].filter((id) => id !== null);
  if (session.occupies)
    return [
      ...family,
      ...within('therapist', (absence) => absence.therapistId !== null && therapists.includes(absence.therapistId)),
    ];
  const own = session.loss?.cause == null ? undefined : { side: FAMILY, loss: session.loss };
  const said = own ?? family.toSorted((a, b) => a.start - b.start).find(({ loss }) => loss?.cause != null);
  return said ? [{ ...said, start, end }] : family;
}

const FAMILY: LossSide = 'family';

/** Why some of an appointment's time is lost, as a cause from the clinic's list; undefined when none is recorded. */
export function whyLost(day: Pick<ClinicDay, 'date' | 'absences'>, session: Explainable): Loss | undefined {
  const said = explanations(session, day.absences).find((each) => each.loss?.label != null);
  if (!said?.loss) return undefined;
  return presentLoss(said.loss, said.side, { date: day.date, minutes: said.start });
}
