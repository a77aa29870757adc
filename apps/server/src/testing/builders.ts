// This file is over 250 lines because it has a builder for every type of row.
import { sql } from 'kysely';
import {
  fullName,
  isoDate,
  nameKey,
  parseTime,
  type AuthorizationPeriod,
  type BillingCode,
  type Gender,
  type Location,
  type Specialization,
  type Service,
} from '@clinic/domain';
import type { Db } from '../db/connection.ts';
import { shownAs } from '../db/profile-names.ts';
import type { AppointmentStatus } from '../db/schema/calendar.ts';

let made = 0;

/** A date and a time as a database timestamp: `YYYY-MM-DD HH:MM:00`. */
const stamp = (date: string, time: string): string => `${date} ${time}:00`;

const inMinutes = (hours: number | undefined): number | null => (hours === undefined ? null : hours * 60);

export interface TherapistPlan {
  id?: string;
  first?: string;
  last?: string;
  location?: Location;
  specialization?: Specialization;
  gender?: Gender;
  /** The first and last day at the clinic; by default from 2024 on, without an end. */
  firstDay?: string;
  lastDay?: string;
  /**
   * The therapist's weekly availability: day of the week (0 is Sunday), `HH:MM`, `HH:MM`. Monday to Friday 09:00-17:00
   * by default.
   */
  windows?: [day: number, start: string, end: string, from?: string | null, until?: string | null][];
  /** The maximum hours per week and per day, and the guaranteed hours per week. */
  hours?: { week?: number; day?: number; guaranteed?: number };
  /** The first and last date on which the credential is valid. */
  credential?: [from: string | null, until: string | null];
  /** The therapist's tags, some with their first and last date. */
  tags?: (string | [tag: string, from: string | null, until: string | null])[];
}

/**
 * Makes a therapist and returns the id. The display name is the first and last name, so each therapist needs a
 * different name.
 */
export async function buildTherapist(db: Db, plan: TherapistPlan = {}): Promise<string> {
  const number = ++made;
  const id = plan.id ?? `T-B${number}`; // the product would never assign this id
  const first_name = plan.first ?? 'Test';
  const last_name = plan.last ?? `Therapist${number}`;
  await db
    .insertInto('therapist')
    .values({
      id,
      first_name,
      last_name,
      ...shownAs(fullName(first_name, last_name)),
      location: plan.location ?? 'altamonte',
      specialization: plan.specialization ?? 'RBT',
      gender: plan.gender ?? 'Female',
      start_date: plan.firstDay ?? '2024-03-04',
      end_date: plan.lastDay ?? null,
      week_minutes: inMinutes(plan.hours?.week),
      day_minutes: inMinutes(plan.hours?.day),
      guaranteed_minutes: inMinutes(plan.hours?.guaranteed),
      consistency: null,
      deleted_at: null,
    })
    .execute();
  const windows: NonNullable<TherapistPlan['windows']> =
    plan.windows ?? [1, 2, 3, 4, 5].map((day) => [day, '09:00', '17:00']);
  for (const [day_of_week, from, to, from_date = null, until_date = null] of windows) {
    await db
      .insertInto('therapist_availability')
      .values({
        therapist_id: id,
        day_of_week,
        start_minute: parseTime(from) ?? 0,
        end_minute: parseTime(to) ?? 0,
        from_date,
        until_date,
      })
      .execute();
  }
  if (plan.credential) {
    const [from_date, until_date] = plan.credential;
    const credential = plan.specialization ?? 'RBT';
    await db
      .insertInto('therapist_credential')
      .values({ therapist_id: id, credential, from_date, until_date })
      .execute();
  }
  for (const each of plan.tags ?? []) {
    const [tag, from_date, until_date] = typeof each === 'string' ? [each, null, null] : each;
    await db
      .insertInto('therapist_tag')
      .values({ therapist_id: id, tag, tag_key: nameKey(tag), from_date, until_date })
      .execute();
  }
  return id;
}

export interface ClientPlan {
  id?: string;
  first?: string;
  last?: string;
  location?: Location;
  gender?: Gender;
  twoToOne?: boolean;
  requiresGender?: Gender[];
  excludes?: string[];
  /** The tags that a therapist must have, and the tags that the client prefers. */
  needs?: string[];
  prefers?: string[];
  authorizations?: AuthorizationPlan[];
}

/** An authorization; by default Acme's, for direct therapy in all of 2026. */
export interface AuthorizationPlan {
  payer?: string;
  code?: BillingCode;
  number?: string;
  from?: string;
  until?: string;
  units: number;
  period?: AuthorizationPeriod;
  /** Units used through a date. */
  prior?: { units: number; until: string };
}

/** Makes a client and returns the id. */
export async function buildClient(db: Db, plan: ClientPlan = {}): Promise<string> {
  const number = ++made;
  const id = plan.id ?? `C-B${number}`;
  const first_name = plan.first ?? 'Test';
  const last_name = plan.last ?? `Client${number}`;
  await db
    .insertInto('client')
    .values({
      id,
      first_name,
      last_name,
      ...shownAs(fullName(first_name, last_name)),
      location: plan.location ?? 'altamonte',
      gender: plan.gender ?? 'Male',
      two_to_one: plan.twoToOne ?? false,
    })
    .execute();
  const restrictions = [
    ...(plan.requiresGender ?? []).map((gender) => ({ requires_gender: gender, excludes_therapist_id: null })),
    ...(plan.excludes ?? []).map((therapist) => ({ requires_gender: null, excludes_therapist_id: therapist })),
  ];
  for (const restriction of restrictions) {
    await db
      .insertInto('client_restriction')
      .values({ client_id: id, ...restriction })
      .execute();
  }
  for (const [tags, must] of [[plan.needs ?? [], true] as const, [plan.prefers ?? [], false] as const])
    for (const tag of tags)
      await db
        .insertInto('client_need')
        .values({ client_id: id, tag, tag_key: nameKey(tag), must })
        .execute();
  for (const each of plan.authorizations ?? []) await buildAuthorization(db, id, each);
  return id;
}

/** Gives a client an authorization. */
export async function buildAuthorization(db: Db, client_id: string, plan: AuthorizationPlan): Promise<void> {
  await db
    .insertInto('client_authorization')
    .values({
      client_id,
      payer: plan.payer ?? 'Acme',
      code: plan.code ?? '97153',
      number: plan.number ?? `A-${++made}`,
      from_date: plan.from ?? '2026-01-01',
      until_date: plan.until ?? '2026-12-31',
      units: plan.units,
      period: plan.period ?? 'total',
      prior_units: plan.prior?.units ?? null,
      prior_until: plan.prior?.until ?? null,
    })
    .execute();
}

export interface AppointmentPlan {
  /** The therapist's id; null for none. */
  therapist: string | null;
  /** The client's id; null for administrative time. */
  client: string | null;
  date: string;
  /** Times are `HH:MM`. */
  start: string;
  end: string;
  location?: Location;
  service?: Service;
  subject?: string;
  status?: AppointmentStatus;
  wireId?: string;
  bookedTherapist?: string | null;
  /** The same string for all appointments of a group. */
  group?: string;
  /** The same string for all appointments that overlap in the import. */
  clash?: string;
  seat?: number;
}

/** Makes an appointment as an import would, and returns its key. */
export async function buildAppointment(db: Db, plan: AppointmentPlan): Promise<string> {
  const number = ++made;
  const { rows } = await sql<{ id: string }>`select gen_random_uuid() as id`.execute(db);
  const id = rows[0]?.id ?? '';
  const own = plan.group === undefined ? id : `group:${plan.group}`;
  const place = plan.clash === undefined ? own : `clash:${plan.clash}`;
  await db
    .insertInto('appointment')
    .values({
      id,
      wire_id: plan.wireId ?? `APT-${String(number).padStart(6, '0')}`,
      location: plan.location ?? 'altamonte',
      client_id: plan.client,
      therapist_id: plan.therapist,
      booked_therapist_id: plan.bookedTherapist ?? null,
      service: plan.service ?? (plan.client === null ? 'admin' : 'direct'),
      subject: plan.subject ?? (plan.client === null ? 'Administrative' : 'Direct Therapy'),
      status: plan.status ?? 'booked',
      starts: stamp(plan.date, plan.start),
      ends: stamp(plan.date, plan.end),
      place,
      client_place: plan.clash === undefined ? id : `clash:${plan.clash}`,
      seat: plan.seat ?? 1,
      group_key: plan.group ?? null,
      clash: plan.clash !== undefined,
      parent_id: null,
      series_id: null,
      commit_id: null,
      family_told_at: null,
    })
    .execute();
  return id;
}

export interface AbsencePlan {
  therapist?: string;
  client?: string;
  date: string;
  /** The start and end, `HH:MM`; by default the whole day. */
  start?: string;
  end?: string;
  location?: Location;
}

/** Stores an absence and returns its id. */
export async function buildAbsence(db: Db, plan: AbsencePlan): Promise<string> {
  const row = await db
    .insertInto('absence')
    .values({
      location: plan.location ?? 'altamonte',
      therapist_id: plan.therapist ?? null,
      client_id: plan.client ?? null,
      date: plan.date,
      start_minute: parseTime(plan.start ?? '00:00') ?? 0,
      end_minute: parseTime(plan.end ?? '24:00') ?? 1440,
      reported_by: null,
      withdrawn_by: null,
      withdrawn_at: null,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  return row.id;
}

/** How many times a location's day has changed. */
export async function dayVersion(db: Db, location: Location, date: string): Promise<number> {
  const row = await db
    .selectFrom('location_day')
    .select('version')
    .where('location', '=', location)
    .where('date', '=', isoDate(date))
    .executeTakeFirst();
  return Number(row?.version ?? 0);
}
