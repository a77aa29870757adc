import type { Appointment, AppointmentParticipant } from 'fhir/r4.js';
import { sql } from 'kysely';
import { SERVICE_LABELS, type Location, type Service } from '@clinic/domain';
import type { AppointmentStatus } from '../../db/schema/calendar.ts';
import { isoOf } from '../../platform/clock.ts';
import { refusal } from '../../platform/refusal.ts';
import { instantAt } from './dates.ts';
import { metaOf, rowsKind } from './kind.ts';
import { any, fhirId, hasFhirId, inRanges, readReference, updatedIn, type Search } from './search.ts';

interface Row {
  readonly id: string;
  readonly wire_id: string;
  readonly status: AppointmentStatus;
  readonly starts: string;
  readonly ends: string;
  readonly location: Location;
  readonly zone: string;
  readonly client_id: string | null;
  readonly therapist_id: string | null;
  readonly service: Service;
  readonly version: number;
  readonly created_at: string;
  readonly updated_at: string;
}

const STATUSES: readonly string[] = ['pending', 'booked', 'fulfilled', 'cancelled', 'noshow', 'entered-in-error'];
/** The columns that hold whom a reference of each type means. */
const ACTORS = {
  Practitioner: sql.ref('a.therapist_id'),
  Patient: sql.ref('a.client_id'),
  Location: sql.ref('a.location'),
} as const;
type Actor = keyof typeof ACTORS;

/**
 * Sessions as they are on the calendar, also those that were cancelled or missed. Plans that nobody has submitted are not
 * among them.
 */
export const appointments = rowsKind<Row>({
  type: 'Appointment',
  versioned: true,
  params: {
    actor: 'reference',
    date: 'date',
    location: 'reference',
    patient: 'reference',
    practitioner: 'reference',
    status: 'token',
    _lastUpdated: 'date',
  },
  from: sql`appointment a join location l on l.value = a.location`,
  columns: sql`a.id, a.wire_id, a.status, a.starts, a.ends, a.location, l.zone, a.client_id, a.therapist_id, a.service,
    a.version, a.created_at, a.updated_at`,
  order: [sql`a.starts`, sql`a.id`],
  placeOf: ({ starts, id }) => [starts, id],
  id: sql`a.id::text`,
  location: sql`a.location`,
  where: (search) => [
    inRanges(search.dates('date'), sql`a.starts`, sql`(a.starts at time zone l.zone)`),
    updatedIn(search.dates('_lastUpdated'), sql`a.updated_at`),
    ...actors(search, 'actor', ['Practitioner', 'Patient', 'Location']),
    ...actors(search, 'practitioner', ['Practitioner']),
    ...actors(search, 'patient', ['Patient']),
    ...actors(search, 'location', ['Location']),
    ...search
      .values('status')
      .map((statuses) => any(statuses.map((each) => sql<boolean>`a.status = ${statusIn(each)}`))),
  ],
  present,
  shown: ({ id, location }) => ({ kind: 'appointment', id, location }),
});

const actors = (search: Search, parameter: string, types: readonly Actor[]) =>
  search.values(parameter).map((references) =>
    any(
      references.map((text) => {
        const { type, id } = readReference(parameter, text, types);
        return hasFhirId(ACTORS[type as Actor], id);
      }),
    ),
  );

/** A status, alone or with its code system. */
function statusIn(text: string): string {
  const status = text.replace(/^(http:\/\/hl7\.org\/fhir\/appointmentstatus)?\|/, '');
  // FHIR's other statuses are asked for too, by programs that know all of them; no session has one.
  if (/^(proposed|arrived|checked-in|waitlist)$/.test(status) || STATUSES.includes(status)) return status;
  throw refusal('search-value', 'status', `a status of appointments, such as ${STATUSES.join(', ')}`);
}

function present(row: Row): Appointment {
  const status = row.status === 'pending' ? 'needs-action' : 'accepted';
  const participant = (type: string, id: string | null): AppointmentParticipant[] =>
    id === null ? [] : [{ actor: { reference: `${type}/${fhirId(id)}` }, status }];
  const [start, end] = [instantAt(row.starts, row.zone), instantAt(row.ends, row.zone)];
  return {
    resourceType: 'Appointment',
    id: row.id,
    meta: metaOf(row),
    identifier: [{ system: 'urn:clinic-scheduler:appointment', value: row.wire_id }],
    status: row.status,
    serviceType: [{ text: SERVICE_LABELS[row.service] }],
    start,
    end,
    minutesDuration: Math.round((Date.parse(end) - Date.parse(start)) / 60_000),
    created: isoOf(row.created_at),
    participant: [
      ...participant('Patient', row.client_id),
      ...participant('Practitioner', row.therapist_id),
      ...participant('Location', row.location),
    ],
  };
}
