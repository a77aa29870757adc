import { sql } from 'kysely';
import { addDays, formatTime, isoDate, type Gender } from '@clinic/domain';
import { randomFrom } from '@clinic/testkit';
import { anyOf } from '../db/any-of.ts';
import type { Db } from '../db/connection.ts';
import { buildAppointment, buildClient, buildTherapist } from './builders.ts';

export interface RandomClinic {
  date: string;
  /** The date, and in a tight week also the Wednesday after it. */
  dates: string[];
  /** The therapists' display names. */
  therapists: string[];
  clients: string[];
}

/**
 * A small, busy day with its own people and date. It has full and partial days, restrictions, groups, a 2:1 client,
 * supervision, administrative time, times that are not on a quarter hour, a session before 7:00 and a session without a
 * therapist. People from earlier days are no longer available. In a tight week, the Wednesday after the date is a
 * second such day, most therapists have few hours left, and some clients accept only their team.
 */
export async function buildRandomClinic(db: Db, seed: number, { tightWeek = false } = {}): Promise<RandomClinic> {
  await db.deleteFrom('therapist_availability').execute();
  const random = randomFrom(seed);
  const date = addDays(isoDate('2031-01-06'), 7 * (seed % 500));
  const tag = `R${seed}`;
  const ids = { therapists: [] as string[], clients: [] as string[] };
  const windows = ['08:00-17:00', '08:00-13:15', '08:15-15:30', '11:45-19:00', '07:00-19:00', '08:07-16:52'];
  for (let i = 0; i < 7; i++) {
    const [from, to] = random.pick(windows).split('-') as [string, string];
    ids.therapists.push(
      await buildTherapist(db, {
        first: `T${i}`,
        last: tag,
        gender: random.pick<Gender>(['Female', 'Male']),
        specialization: i === 0 || (tightWeek && i < 3) ? 'BCBA' : random.pick(['RBT', 'RBT', 'BT'] as const),
        windows: tightWeek
          ? [
              [1, from, to],
              [3, from, to],
            ]
          : [[1, from, to]],
      }),
    );
  }
  for (let i = 0; i < 7; i++) {
    ids.clients.push(
      await buildClient(db, {
        first: `C${i}`,
        last: tag,
        twoToOne: i === 0,
        ...(random.chance(0.2) ? { requiresGender: [random.pick<Gender>(['Female', 'Male'])] } : {}),
        ...(random.chance(0.2) ? { excludes: [random.pick(ids.therapists)] } : {}),
      }),
    );
    for (const therapist of random.sample(ids.therapists, 4))
      for (let n = random.pick([1, 1, 4]); n > 0; n--)
        await buildAppointment(db, {
          therapist,
          client: ids.clients[i] ?? null,
          date: addDays(date, -3 * n),
          start: formatTime(480 + i * 60),
          end: formatTime(525 + i * 60),
          group: `${tag}-past-${i}-${n}`,
        }).catch(() => {});
  }
  const dates = tightWeek ? [date, addDays(date, 2)] : [date];
  for (const each of dates) await bookDay(db, random, each, tag, ids);
  if (tightWeek) await tighten(db, random, dates, ids);
  return {
    date,
    dates,
    therapists: ids.therapists.map((_, i) => `T${i} ${tag}`),
    clients: ids.clients.map((_, i) => `C${i} ${tag}`),
  };
}

type Random = ReturnType<typeof randomFrom>;

/** Leaves most therapists few hours in the week or on a day, and lets two clients accept only their team. */
async function tighten(
  db: Db,
  random: Random,
  dates: readonly string[],
  ids: { therapists: string[]; clients: string[] },
): Promise<void> {
  const minutes = sql<number>`coalesce(sum(extract(epoch from ends - starts)), 0)::int / 60`;
  for (const id of ids.therapists) {
    const { booked } = await db
      .selectFrom('appointment')
      .select(minutes.as('booked'))
      .where('therapist_id', '=', id)
      .where(sql<boolean>`starts::date::text = ${anyOf(dates)}`)
      .executeTakeFirstOrThrow();
    const week_minutes = random.chance(0.7) ? Math.max(1, Math.ceil(booked / 60) + random.int(0, 2)) * 60 : null;
    const day_minutes = random.chance(0.3) ? random.int(3, 8) * 60 : null;
    await db.updateTable('therapist').set({ week_minutes, day_minutes }).where('id', '=', id).execute();
  }
  await db
    .updateTable('client')
    .set({ care_team_only: true })
    .where('id', 'in', random.sample(ids.clients, 2))
    .execute();
}

async function bookDay(
  db: Db,
  random: Random,
  date: string,
  tag: string,
  ids: { therapists: string[]; clients: string[] },
): Promise<void> {
  /** Books an appointment, unless the database refuses it as a double booking. */
  const book = async (plan: Parameters<typeof buildAppointment>[1]): Promise<void> => {
    await buildAppointment(db, plan).catch((error: unknown) => {
      if ((error as { code?: string }).code !== '23P01') throw error;
    });
  };
  const starts = [390, 480, 500, 510, 547, 600, 690, 720, 765, 780, 810, 870, 930];
  for (const [i, client] of ids.clients.entries()) {
    for (let n = 0; n < 2; n++) {
      const start = random.pick(starts);
      const end = start + random.pick([60, 90, 120, 150, 165, 180, 95]);
      const therapist = random.chance(0.08) ? null : random.pick(ids.therapists);
      const seat = i === 0 && n === 1 ? 2 : 1;
      await book({ therapist, client, date, start: formatTime(start), end: formatTime(end), seat });
    }
  }
  const group = { date, start: '16:00', end: '17:00', group: `${tag}-group`, therapist: random.pick(ids.therapists) };
  for (const client of ids.clients.slice(3, 5)) await book({ ...group, client });
  await book({
    therapist: ids.therapists[0] ?? null,
    client: ids.clients[1] ?? null,
    date,
    start: '10:00',
    end: '11:00',
    service: 'supervision',
    subject: 'Supervision',
  });
  await book({ therapist: random.pick(ids.therapists), client: null, date, start: '13:00', end: '14:00' });
}

/** Makes random absences on a random clinic's days, as the page sends them. */
export function randomAbsences(
  seed: number,
  clinic: RandomClinic,
): { therapist?: string; client?: string; begin: string; end: string; date: string }[] {
  const random = randomFrom(seed + 1_000_000);
  const windows = [
    ['00:00', '23:59'],
    ['00:00', '10:00'],
    ['09:30', '11:15'],
    ['12:00', '23:59'],
  ] as const;
  const away = (date: string) => (name: object) => {
    const [begin, end] = random.pick(windows);
    return { ...name, begin, end, date };
  };
  return clinic.dates.flatMap((date) => [
    ...random
      .sample(clinic.therapists, random.int(1, 3))
      .map((therapist) => ({ therapist }))
      .map(away(date)),
    ...random
      .sample(clinic.clients, random.int(0, 2))
      .map((client) => ({ client }))
      .map(away(date)),
  ]);
}
