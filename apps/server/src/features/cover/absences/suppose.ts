import type { ProcessBody } from '@clinic/contract';
import type { IsoDate } from '@clinic/domain';
import type { DayAbsence } from '../../../clinic-day/day.ts';
import { onSnapshot } from '../../../db/retry.ts';
import type { Db } from '../../../db/connection.ts';
import type { Act } from '../../../platform/access/act.ts';
import { windowsToStore } from './absence-windows.ts';
import { readBody, type PersonDate } from './absences.service.ts';

/** A request's dates, and the absences that each date would have if the request were saved. */
export interface Supposed {
  readonly dates: IsoDate[];
  readonly suppose: (date: IsoDate) => (stored: readonly DayAbsence[]) => DayAbsence[];
}

/** Reads what a save would store, and refuses what a save would refuse. Stores nothing. */
export async function supposeAbsences(
  db: Db,
  body: Pick<ProcessBody, 'location' | 'queries'>,
  act: Act,
): Promise<Supposed> {
  const { dates, wanted } = await onSnapshot(db, (trx) => readBody(trx, body, act));
  return { dates, suppose: (date) => (stored) => wanted.filter((w) => w.date === date).reduce(replaced, [...stored]) };
}

/** Returns all absences of a day, but with this person's absences as a save would leave them. */
function replaced(all: readonly DayAbsence[], { person, location, wanted }: PersonDate): DayAbsence[] {
  const of = (each: DayAbsence) => (person.kind === 'therapist' ? each.therapistId : each.clientId) === person.id;
  const who = {
    therapistId: person.kind === 'therapist' ? person.id : null,
    clientId: person.kind === 'client' ? person.id : null,
  };
  const windows = windowsToStore(all.filter(of), wanted);
  const supposed = windows.map(({ start, end }): DayAbsence => ({ id: '', location, ...who, start, end }));
  return [...all.filter((each) => !of(each)), ...supposed];
}
