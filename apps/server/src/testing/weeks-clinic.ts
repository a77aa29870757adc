import { randomUUID } from 'node:crypto';
import {
  addDays,
  dayOfWeek,
  formatTime,
  randomFrom,
  union,
  type IsoDate,
  type Location,
  type Service,
} from '@clinic/domain';
import { clinicQuarter, type Quarter } from '@clinic/testkit';
import type { Db } from '../db/connection.ts';
import { timestampOf } from '../db/wall-time.ts';
import { buildAbsence, buildClient, buildTherapist } from './builders.ts';

/** Fills the columns of an appointment. */
function row(
  date: IsoDate,
  client_id: string | null,
  therapist_id: string,
  { start, end, service }: { readonly start: number; readonly end: number; readonly service: Service },
) {
  const id = randomUUID();
  const times = { starts: timestampOf(date, start), ends: timestampOf(date, end) };
  const subject = service === 'supervision' ? '97155' : service === 'admin' ? 'Notes' : '97153';
  const people = { client_id, therapist_id, booked_therapist_id: null, parent_id: null, series_id: null };
  const places = { place: id, client_place: id, group_key: null, clash: false, commit_id: null, family_told_at: null };
  const location: Location = 'altamonte';
  return {
    id,
    wire_id: `W-${id}`,
    location,
    service,
    subject,
    status: 'pending' as const,
    ...people,
    ...times,
    ...places,
  };
}

export interface WeeksClinicPlan {
  readonly seed: number;
  readonly therapists: number;
  readonly clients: number;
  /** A Monday. */
  readonly from: IsoDate;
  readonly weeks: number;
  /** How many weeks before `from` are on the calendar, too. */
  readonly history: number;
}

export interface WeeksClinic {
  readonly quarter: Quarter;
  readonly from: IsoDate;
  readonly until: IsoDate;
  /** The therapist with the most children, who is not a BCBA. */
  readonly busiest: string;
}

/**
 * A generated clinic whose week repeats, with what makes weeks hard: absences, administrative time, limits a day, new
 * therapists, credentials and tags that end within the range, and availability that changes.
 */
export async function buildWeeksClinic(db: Db, plan: WeeksClinicPlan): Promise<WeeksClinic> {
  const { seed, therapists, clients, from, weeks, history } = plan;
  const quarter = clinicQuarter({ seed, therapists, clients, days: 1 });
  const random = randomFrom(`weeks clinic ${seed}`);
  const until = addDays(from, 7 * weeks - 1);
  const middle = addDays(from, 7 * Math.ceil(weeks / 2));
  const id = (own: string): string => `${own}-${seed}`;
  for (const t of quarter.therapists) {
    const changes = random.chance(0.1);
    const name = t.name.split(' ');
    await buildTherapist(db, {
      id: id(t.id),
      first: name[0] ?? 'A',
      last: `${name.slice(1).join(' ')}${seed}`,
      specialization: t.credential,
      gender: t.gender,
      ...(random.chance(0.08) ? { firstDay: addDays(from, -3) } : {}),
      ...(random.chance(0.05) ? { lastDay: middle } : {}),
      windows: [...t.available].flatMap(([day, list]) =>
        union(list).map((w): [number, string, string, string | null, string | null] => [
          day,
          formatTime(w.start),
          formatTime(w.end),
          null,
          changes ? middle : null,
        ]),
      ),
      hours: {
        ...(random.chance(0.3) ? { week: random.int(20, 40) } : {}),
        ...(random.chance(0.2) ? { day: random.int(5, 8) } : {}),
      },
      ...(t.credential === 'RBT' && random.chance(0.15) ? { credential: [null, middle] } : {}),
      tags: random.chance(0.4) ? [random.chance(0.3) ? ['Spanish', null, middle] : 'Spanish'] : [],
    });
  }
  for (const c of quarter.clients) {
    const name = c.name.split(' ');
    await buildClient(db, {
      id: id(c.id),
      first: name[0] ?? 'B',
      last: `${name.slice(1).join(' ')}K${seed}`,
      requiresGender: [...c.requiresGender],
      excludes: c.excludes.map(id),
      ...(random.chance(0.12) ? { needs: ['spanish'] } : {}),
    });
    const { careTeamOnly: care_team_only, rbtOrAbove: rbt_or_above } = c;
    await db.updateTable('client').set({ care_team_only, rbt_or_above }).where('id', '=', id(c.id)).execute();
  }
  const sessions = [];
  for (let date = addDays(from, -7 * history); date <= until; date = addDays(date, 1)) {
    for (const each of quarter.week.get(dayOfWeek(date)) ?? [])
      sessions.push(row(date, id(each.client), id(each.therapist), each));
    const admin = random.pick(quarter.therapists);
    const [window] = admin.available.get(dayOfWeek(date)) ?? [];
    const isBusy = (quarter.week.get(dayOfWeek(date)) ?? []).some((s) => s.therapist === admin.id);
    if (window && !isBusy) sessions.push(row(date, null, id(admin.id), { ...window, service: 'admin' }));
  }
  for (let i = 0; i < sessions.length; i += 500)
    await db
      .insertInto('appointment')
      .values(sessions.slice(i, i + 500))
      .execute();
  for (let i = 0; i < weeks * 4; i++) {
    const who = random.pick(quarter.therapists);
    await buildAbsence(db, {
      therapist: id(who.id),
      date: addDays(from, Math.floor((i * 7) / 4)),
      ...(random.chance(0.5) ? { start: '12:00', end: '24:00' } : {}),
    });
  }
  const hands = quarter.therapists.filter(({ credential }) => credential !== 'BCBA');
  const load = (t: string): number => [...quarter.week.values()].flat().filter((s) => s.therapist === t).length;
  const [busiest] = hands.toSorted((a, b) => load(b.id) - load(a.id));
  return { quarter, from, until, busiest: id(busiest?.id ?? '') };
}
