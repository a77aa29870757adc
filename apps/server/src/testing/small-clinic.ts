import { addDays, isoDate } from '@clinic/domain';
import type { Db } from '../db/connection.ts';
import { buildAppointment, buildClient, buildTherapist } from './builders.ts';

/** A Friday far ahead of today, so that no part of it is past. */
export const DATE = '2030-11-22';

/**
 * A day at Altamonte. Ana has Bo from 8:30 to 11:30. Kai is free and on Bo's team. Lin, whom Bo knows, is free until
 * 12:00 and has Mo from 13:00 to 16:00. Max is a BCBA who knows no client.
 */
export interface SmallClinic {
  ana: string;
  kai: string;
  lin: string;
  max: string;
  bo: string;
  mo: string;
  /** A client without sessions. */
  ida: string;
  boMorning: string;
  moAfternoon: string;
}

const EVERY_DAY = (start: string, end: string): [number, string, string][] =>
  [1, 2, 3, 4, 5].map((day) => [day, start, end]);

/** Books a past session that took place, from 8:30 to 11:30. */
const given = (db: Db, therapist: string, client: string, date: string): Promise<string> =>
  buildAppointment(db, { therapist, client, date, start: '08:30', end: '11:30', status: 'fulfilled' });

export async function buildSmallClinic(db: Db): Promise<SmallClinic> {
  const ana = await buildTherapist(db, { first: 'Ana', last: 'Ruiz', windows: EVERY_DAY('08:00', '17:00') });
  const kai = await buildTherapist(db, { first: 'Kai', last: 'Wood', windows: EVERY_DAY('08:00', '17:00') });
  const lin = await buildTherapist(db, { first: 'Lin', last: 'Park', windows: EVERY_DAY('08:00', '16:00') });
  const max = await buildTherapist(db, {
    first: 'Max',
    last: 'Dean',
    specialization: 'BCBA',
    gender: 'Male',
    windows: EVERY_DAY('09:00', '17:00'),
  });
  const bo = await buildClient(db, { first: 'Bo', last: 'Lee' });
  const mo = await buildClient(db, { first: 'Mo', last: 'Diaz' });
  const ida = await buildClient(db, { first: 'Ida', last: 'Fox', gender: 'Female' });
  for (const before of [6, 13, 20, 27]) await given(db, kai, bo, addDays(isoDate(DATE), -before));
  await given(db, lin, bo, addDays(isoDate(DATE), -60));
  const boMorning = await buildAppointment(db, {
    therapist: ana,
    client: bo,
    date: DATE,
    start: '08:30',
    end: '11:30',
  });
  const moAfternoon = await buildAppointment(db, {
    therapist: lin,
    client: mo,
    date: DATE,
    start: '13:00',
    end: '16:00',
  });
  return { ana, kai, lin, max, bo, mo, ida, boMorning, moAfternoon };
}
