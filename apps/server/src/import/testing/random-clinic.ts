import fc from 'fast-check';
import { sql } from 'kysely';
import { DEFAULT_LOCATIONS, type Location } from '@clinic/domain';
import type { Db } from '../../db/connection.ts';
import { buildAppointment, buildAuthorization, buildClient, buildTherapist } from '../../testing/builders.ts';

/** Names that a spreadsheet calculates, that a CSV reader splits, or that look like something else. */
const NAMES = ['Łukasz', "O'Ne-il", '=SUM(A1)', '@Ana', '-Wood', '+1', 'de la, Cruz', 'Bo "B" Lee', 'Nguyễn', '李'];
const MORE = ['Diaz’s', 'Unassigned', 'Admin', 'null', '2026-11-16', '1e5', 'TRUE', 'ß', 'İ', 'a;b', 'x from y'];
const name = fc.constantFrom(...NAMES, ...MORE);
const place = fc.constantFrom(...DEFAULT_LOCATIONS.slice(0, 3).map(({ value }) => value));
const quarter = fc.integer({ min: 0, max: 40 });
const day = fc.integer({ min: 1, max: 28 }).map((n) => `2026-11-${String(n).padStart(2, '0')}`);
const dates = fc.option(fc.tuple(fc.option(fc.constant('2026-01-05')), fc.option(fc.constant('2026-12-20'))));
const tag = fc.constantFrom('Spanish', 'CPI', 'AAC', 'Ünï', 'Night & day', '=tag', "'tag");
const tags = fc.uniqueArray(tag, { maxLength: 3 });
const contact = fc.record({
  name,
  relation: fc.constantFrom('', 'Mother', '=mother'),
  phone: fc.constantFrom('', '+1 407 555 0100', '407-555-0100'),
  email: fc.constantFrom('', 'mia@family.example'),
  language: fc.constantFrom('', 'Spanish'),
});
const contacts = fc.array(contact, { maxLength: 3 });
const person = { first: name, last: name, location: place, gender: fc.constantFrom('Male', 'Female'), contacts };

/** A clinic as it can be in the database: made here, imported, or both. */
export const randomClinic = fc.record({
  therapists: fc.array(
    fc.record({
      ...person,
      specialization: fc.constantFrom('BCBA', 'RBT', 'BT'),
      lastDay: fc.option(fc.constant('2027-01-31'), { nil: undefined }),
      deleted: fc.boolean(),
      tags: fc.uniqueArray(fc.tuple(tag, dates), { maxLength: 3, selector: ([each]) => each }),
      credentials: fc.uniqueArray(fc.tuple(fc.constantFrom('', '=1-23', '007'), dates), {
        maxLength: 2,
        selector: ([number]) => number,
      }),
      week: fc.option(fc.constantFrom(20, 37.5), { nil: undefined }),
    }),
    { minLength: 1, maxLength: 5 },
  ),
  clients: fc.array(
    fc.record({
      ...person,
      twoToOne: fc.boolean(),
      careTeamOnly: fc.boolean(),
      requiresGender: fc.option(fc.constantFrom('Male', 'Female')),
      excludes: fc.boolean(),
      needs: tags,
      authorizations: fc.uniqueArray(
        fc.record({
          payer: fc.constantFrom('-Medicaid', 'Aetna', '=Blue'),
          number: fc.constantFrom('', 'A-1', '0012'),
          code: fc.constantFrom('97153', '97155'),
          units: fc.integer({ min: 1, max: 900 }),
          period: fc.constantFrom('total', 'week', 'month'),
        }),
        { maxLength: 3, selector: ({ number, code, payer }) => `${number} ${code} ${number === '' ? payer : ''}` },
      ),
    }),
    { minLength: 1, maxLength: 5 },
  ),
  sessions: fc.array(
    fc.record({
      client: fc.option(fc.nat(), { freq: 4 }),
      therapist: fc.option(fc.nat(), { freq: 3 }),
      location: place,
      date: day,
      start: quarter,
      length: fc.integer({ min: 1, max: 8 }),
      subject: fc.constantFrom('Direct Therapy', '=Direct, Therapy', '97155 Protocol modification', 'Lunch "late"'),
      status: fc.constantFrom('booked', 'booked', 'cancelled', 'noshow', 'fulfilled', 'pending', 'entered-in-error'),
      series: fc.boolean(),
    }),
    { maxLength: 25 },
  ),
});
type RandomClinic = typeof randomClinic extends fc.Arbitrary<infer T> ? T : never;

const clock = (quarters: number): string => {
  const minutes = 8 * 60 + quarters * 15;
  return `${String(Math.floor(minutes / 60)).padStart(2, '0')}:${String(minutes % 60).padStart(2, '0')}`;
};

/** Stores a clinic; a session that would take a taken place is left out. Returns how many sessions it has. */
export async function buildClinic(db: Db, clinic: RandomClinic): Promise<number> {
  const therapists: string[] = [];
  for (const [i, t] of clinic.therapists.entries()) {
    const { credentials, week, contacts: those, deleted, tags: own, lastDay, ...rest } = t;
    const plan = { ...rest, last: `${t.last} T${i}`, id: `T-${i}`, hours: { ...(week ? { week } : {}) } };
    const id = await buildTherapist(db, {
      ...plan,
      gender: t.gender === 'Male' ? 'Male' : 'Female',
      specialization: (['BCBA', 'RBT', 'BT'] as const).find((each) => each === t.specialization) ?? 'BT',
      ...(lastDay === undefined ? {} : { lastDay }),
      tags: own.map(([each, on]) => [each, on?.[0] ?? null, on?.[1] ?? null]),
    });
    if (!deleted)
      for (const [number, on] of credentials)
        await sql`insert into therapist_credential (therapist_id, credential, number, from_date, until_date)
          values (${id}, ${t.specialization}, ${number}, ${on?.[0] ?? null}, ${on?.[1] ?? null})`.execute(db);
    await addContacts(db, 'therapist', id, those);
    if (deleted && i > 0) await sql`update therapist set deleted_at = '2026-11-29T12:00Z' where id = ${id}`.execute(db);
    therapists.push(id);
  }
  const clients: string[] = [];
  for (const [i, c] of clinic.clients.entries()) {
    const id = await buildClient(db, {
      id: `C-${i}`,
      first: c.first,
      last: `${c.last} C${i}`,
      location: c.location,
      gender: c.gender === 'Male' ? 'Male' : 'Female',
      twoToOne: c.twoToOne,
      requiresGender: c.requiresGender === null ? [] : [c.requiresGender === 'Male' ? 'Male' : 'Female'],
      excludes: c.excludes ? [therapists[0] ?? ''] : [],
      needs: c.needs,
    });
    await sql`update client set care_team_only = ${c.careTeamOnly} where id = ${id}`.execute(db);
    for (const each of c.authorizations)
      await buildAuthorization(db, id, {
        ...each,
        code: each.code === '97155' ? '97155' : '97153',
        period: (['total', 'week', 'month'] as const).find((period) => period === each.period) ?? 'total',
      });
    await addContacts(db, 'client', id, c.contacts);
    clients.push(id);
  }
  return addSessions(db, clinic.sessions, { therapists, clients });
}

async function addContacts(
  db: Db,
  kind: 'therapist' | 'client',
  id: string,
  list: RandomClinic['clients'][number]['contacts'],
): Promise<void> {
  for (const [rank, c] of list.entries())
    await sql`insert into contact (${sql.ref(`${kind}_id`)}, rank, name, relation, phone, email, language, preferred)
      values (${id}, ${rank + 1}, ${c.name}, ${c.relation}, ${c.phone}, ${c.email}, ${c.language},
        ${c.phone === '' ? '' : 'phone'})`.execute(db);
}

async function addSessions(
  db: Db,
  sessions: RandomClinic['sessions'],
  { therapists, clients }: { readonly therapists: readonly string[]; readonly clients: readonly string[] },
): Promise<number> {
  let made = 0;
  for (const { client, therapist, date, start, length, series, location, ...rest } of sessions) {
    const who = {
      client: client === null ? null : (clients[client % clients.length] ?? null),
      therapist: therapist === null ? null : (therapists[therapist % therapists.length] ?? null),
    };
    const time = { date, start: clock(start), end: clock(Math.min(start + length, 44)) };
    const placed: Location = location;
    try {
      await buildAppointment(db, {
        ...who,
        ...time,
        location: placed,
        subject: rest.subject,
        status: STATUSES.find((each) => each === rest.status) ?? 'booked',
        ...(series ? { wireId: `SER-${who.client ?? 'none'}-${made}` } : {}),
      });
      made++;
    } catch {
      // The place, the client or the therapist's employment does not allow it; the database keeps its own rules.
    }
  }
  return made;
}

const STATUSES = ['booked', 'cancelled', 'noshow', 'fulfilled', 'pending', 'entered-in-error'] as const;
