import type { HumanName, Patient, Practitioner, PractitionerRole, Schedule } from 'fhir/r4.js';
import { sql } from 'kysely';
import type { Gender, IsoDate, Location, Specialization } from '@clinic/domain';
import { refusal } from '../../platform/refusal.ts';
import { metaOf, rowsKind, type Kind, type RowsKind } from './kind.ts';
import { any, fhirId, hasFhirId, readReference, updatedIn, type Search } from './search.ts';

interface PersonRow {
  readonly id: string;
  readonly first_name: string;
  readonly last_name: string;
  readonly display_name: string;
  readonly gender: Gender;
  readonly location: Location;
  readonly version: number;
  readonly updated_at: string;
}

interface TherapistRow extends PersonRow {
  readonly specialization: Specialization;
  readonly start_date: IsoDate;
  readonly end_date: IsoDate | null;
  readonly deleted_at: string | null;
}

const nameOf = ({ first_name, last_name, display_name }: PersonRow): HumanName[] => [
  { text: display_name, family: last_name, given: [first_name] },
];
const genderOf = ({ gender }: PersonRow): 'male' | 'female' => (gender === 'Male' ? 'male' : 'female');

const PERSON = sql`p.id, p.first_name, p.last_name, p.display_name, p.gender, p.location, p.version, p.updated_at`;
const updated = (search: Search) => updatedIn(search.dates('_lastUpdated'), sql`p.updated_at`);
const reference = (search: Search, parameter: string, type: string, column: string) =>
  search
    .values(parameter)
    .map((all) => any(all.map((text) => hasFhirId(sql.ref(column), readReference(parameter, text, [type]).id))));

/** What the kinds that are made of therapists have in common. */
const therapists = (kind: Pick<RowsKind<TherapistRow>, 'type' | 'params' | 'where' | 'present'>): Kind =>
  rowsKind<TherapistRow>({
    ...kind,
    versioned: true,
    from: sql`therapist p`,
    columns: sql`${PERSON}, p.specialization, p.start_date, p.end_date, p.deleted_at`,
    order: [sql`p.id`],
    placeOf: ({ id }) => [id],
    id: sql`p.id`,
    location: sql`p.location`,
    shown: ({ id, location }) => ({ kind: 'therapist', id, location }),
  });

/** Therapists, also those who have left. */
export const practitioners = therapists({
  type: 'Practitioner',
  params: { _lastUpdated: 'date' },
  where: (search) => [updated(search)],
  present: (row): Practitioner => ({
    resourceType: 'Practitioner',
    id: fhirId(row.id),
    meta: metaOf(row),
    identifier: [{ system: 'urn:clinic-scheduler:therapist', value: row.id }],
    active: row.deleted_at === null,
    name: nameOf(row),
    gender: genderOf(row),
    qualification: [{ code: { text: row.specialization } }],
  }),
});

/** Where and as what a therapist works, and since when. */
export const practitionerRoles = therapists({
  type: 'PractitionerRole',
  params: { practitioner: 'reference', location: 'reference', _lastUpdated: 'date' },
  where: (search) => [
    updated(search),
    ...reference(search, 'practitioner', 'Practitioner', 'p.id'),
    ...reference(search, 'location', 'Location', 'p.location'),
  ],
  present: (row): PractitionerRole => ({
    resourceType: 'PractitionerRole',
    id: fhirId(row.id),
    meta: metaOf(row),
    active: row.deleted_at === null,
    period: { start: row.start_date, ...(row.end_date === null ? {} : { end: row.end_date }) },
    practitioner: { reference: `Practitioner/${fhirId(row.id)}` },
    code: [{ text: row.specialization }],
    location: [{ reference: `Location/${fhirId(row.location)}` }],
  }),
});

/** A therapist's time at their location: what `Slot` divides. */
export const schedules = therapists({
  type: 'Schedule',
  params: { actor: 'reference', _lastUpdated: 'date' },
  where: (search) => [
    updated(search),
    ...search.values('actor').map((all) =>
      any(
        all.map((text) => {
          const { type, id } = readReference('actor', text, ['Practitioner', 'Location']);
          return hasFhirId(sql.ref(type === 'Location' ? 'p.location' : 'p.id'), id);
        }),
      ),
    ),
  ],
  present: (row): Schedule => ({
    resourceType: 'Schedule',
    id: fhirId(row.id),
    meta: metaOf(row),
    active: row.deleted_at === null,
    actor: [{ reference: `Practitioner/${fhirId(row.id)}` }, { reference: `Location/${fhirId(row.location)}` }],
  }),
});

const patientRows = rowsKind<PersonRow>({
  type: 'Patient',
  params: {},
  versioned: true,
  from: sql`client p`,
  columns: PERSON,
  order: [sql`p.id`],
  placeOf: ({ id }) => [id],
  id: sql`p.id`,
  location: sql`p.location`,
  where: () => [],
  present: (row): Patient => ({
    resourceType: 'Patient',
    id: fhirId(row.id),
    meta: metaOf(row),
    identifier: [{ system: 'urn:clinic-scheduler:client', value: row.id }],
    name: nameOf(row),
    gender: genderOf(row),
  }),
  shown: ({ id, location }) => ({ kind: 'client', id, location }),
});

/** Clients, only one by one: a program gets those whose ids it knows from sessions, and never a list of all children. */
export const patients: Kind = {
  ...patientRows,
  find(asked, search) {
    if (search.values('_id').length === 0) throw refusal('search-needs', '_id');
    return patientRows.find(asked, search);
  },
};

interface LocationRow {
  readonly value: Location;
  readonly label: string;
  readonly zone: string;
  readonly closed: boolean;
}

export const locations = rowsKind<LocationRow>({
  type: 'Location',
  params: {},
  versioned: false,
  from: sql`location l`,
  columns: sql`l.value, l.label, l.zone,
    coalesce(l.closed_from <= (now() at time zone l.zone)::date, false) as closed`,
  order: [sql`l.value`],
  placeOf: ({ value }) => [value],
  id: sql`l.value`,
  location: sql`l.value`,
  where: () => [],
  present: ({ value, label, zone, closed }) => ({
    resourceType: 'Location',
    id: fhirId(value),
    extension: [{ url: 'http://hl7.org/fhir/StructureDefinition/timezone', valueCode: zone }],
    identifier: [{ system: 'urn:clinic-scheduler:location', value }],
    status: closed ? 'inactive' : 'active',
    name: label,
    mode: 'instance',
  }),
  shown: ({ value }) => ({ kind: 'location', id: value, location: value }),
});
