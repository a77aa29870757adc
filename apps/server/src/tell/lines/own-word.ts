import { subtract, union, type Interval } from '@clinic/domain';
import type { DayAbsence, DayAppointment } from '../../day/facts/day.ts';
import type { AwayWindows } from '../../day/facts/uncovered.ts';

type Away = Pick<DayAbsence, 'clientId' | 'loss' | 'untold'>;

/**
 * Whether the person who is away said so themselves, so that nobody needs to tell them what they lose by it: unless
 * someone else caused the loss, such as the clinic or a payer, or it is recorded that they do not know yet.
 */
const saidThemselves = ({ clientId, loss, untold }: Away): boolean =>
  untold === undefined ? isOwnSide(clientId, loss) : !untold;

function isOwnSide(clientId: string | null, loss: Away['loss']): boolean {
  const own = clientId === null ? 'therapist' : 'family';
  return (loss?.lostBy ?? own) === own;
}

/** When people are away by their own word, by person id; the rest of their absences they must be told about. */
export function ownWindows(absences: readonly DayAbsence[], appointments: readonly DayAppointment[]): AwayWindows {
  const windows = new Map<string, Interval[]>();
  for (const absence of absences) {
    const id = absence.therapistId ?? absence.clientId ?? '';
    if (saidThemselves(absence))
      windows.set(id, union([...(windows.get(id) ?? []), ...ownPart(absence, appointments)]));
  }
  return windows;
}

/**
 * The part of an absence in which the person also said themselves what they lose: not the sessions of a child that the
 * clinic or a payer cancelled, unless the family is recorded as knowing.
 */
function ownPart(absence: DayAbsence, appointments: readonly DayAppointment[]): Interval[] {
  if (absence.clientId === null || absence.untold === false) return [absence];
  const byOthers = appointments.filter(
    ({ clientId, status, loss }) =>
      clientId === absence.clientId && status === 'cancelled' && !isOwnSide(clientId, loss),
  );
  return subtract([absence], byOthers);
}
