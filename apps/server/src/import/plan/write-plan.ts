import { nameKey } from '@clinic/domain';
import { jsonArrays } from '../../db/bulk.ts';
import { shownAs } from '../../db/profile-names.ts';
import { timestampOf } from '../../db/wall-time.ts';
import type { DetailsPlan } from '../rows/details.ts';
import type { WriteName } from './imports.writes.ts';
import type { AppointmentWrite, DaysPlan, PeoplePlan } from './plan.ts';
import type { ClientWrite, Link, TherapistWrite, Write } from './snapshot.ts';

/** A statement of `imports.writes.ts`, with its rows as JSON. */
export interface Statement {
  readonly name: WriteName;
  readonly rows: string;
}

/** Splits many rows over several statements. */
export const statement = (name: WriteName, rows: readonly object[]): Statement[] =>
  [...jsonArrays(rows)].map((each) => ({ name, rows: each }));

const inMinutes = (hours: number | undefined): number | null => (hours === undefined ? null : hours * 60);

const isNew = (write: Write<unknown>): boolean => write.replaces === null;
const idOf = ({ id }: { readonly id: string }) => ({ id });
const versionOf = ({ replaces }: Write<unknown>): number => (replaces ?? 0) + 1;

/**
 * Makes the statements that write people. Statements that wait for no locks come first. Therapists' own rows are locked
 * last and only briefly, because booking a session with a therapist locks their row too.
 */
export function peopleStatements({ therapists, keeps, clients, links, details }: PeoplePlan): Statement[] {
  const changed = { therapists: therapists.filter((w) => !isNew(w)), clients: clients.filter((w) => !isNew(w)) };
  return [
    ...statement('leaveClientNames', changed.clients.map(idOf)),
    ...statement('dropRestrictions', changed.clients.filter((w) => w.record.requiresGender).map(idOf)),
    ...statement('dropClientContacts', changed.clients.filter((w) => w.record.contacts).map(idOf)),
    ...statement('dropTherapistContacts', changed.therapists.filter((w) => w.record.contacts).map(idOf)),
    ...statement('dropIssued', changed.therapists.flatMap(credentialRows)),
    ...statement('dropTags', changed.therapists.filter((w) => w.record.tags).map(idOf)),
    ...statement('dropNeeds', changed.clients.filter((w) => w.record.needs).map(idOf)),
    ...statement('dropWindows', changed.therapists.map(idOf)),
    ...statement('leaveTherapistNames', changed.therapists.map(idOf)),
    ...statement('insertTherapists', therapists.filter(isNew).map(therapistRow)),
    ...statement('insertWindows', therapists.flatMap(windowRows)),
    ...statement('insertClients', clients.filter(isNew).map(clientRow)),
    ...statement('updateClients', changed.clients.map(clientRow)),
    ...statement('insertRestrictions', clients.flatMap(restrictionRows)),
    ...statement('insertCredentials', therapists.flatMap(credentialRows)),
    ...statement('insertTags', therapists.flatMap(tagRows)),
    ...statement('insertNeeds', clients.flatMap(needRows)),
    ...statement('insertContacts', [
      ...therapists.flatMap((w) => contactRows('therapist_id', w)),
      ...clients.flatMap((w) => contactRows('client_id', w)),
    ]),
    ...statement('remember', [
      ...[...therapists.map(linkOf), ...links.therapist].map((link) => ({ kind: 'therapist', ...link })),
      ...[...clients.map(linkOf), ...links.client].map((link) => ({ kind: 'client', ...link })),
    ]),
    ...detailStatements(details),
    ...statement(
      'updateTherapists',
      changed.therapists.map((w) => ({ ...therapistRow(w), ...keeps })),
    ),
  ];
}

function detailStatements({ authorizations, credentials }: DetailsPlan): Statement[] {
  const authorized = authorizations.map(({ person, record }) => ({ client_id: person, ...record }));
  const issued = credentials.map(({ person, record }) => ({ therapist_id: person, ...record }));
  const owners = (of: readonly { readonly person: string }[]) =>
    [...new Set(of.map(({ person }) => person))].sort().map((id) => ({ id }));
  return [
    ...statement(
      'dropAuthorizations',
      // Use the payer's stored name: the row may spell it differently.
      authorizations.map(({ person, record, replaced }) => ({ client_id: person, ...(replaced ?? record) })),
    ),
    ...statement('insertAuthorizations', authorized),
    ...statement(
      'dropIssued',
      credentials.map(({ person, record, replaced }) => ({ therapist_id: person, ...(replaced ?? record) })),
    ),
    ...statement('insertCredentials', issued),
    ...statement('touchClients', owners(authorizations)),
    ...statement('touchTherapists', owners(credentials)),
  ];
}

/** Makes the statements that write the sessions of some days. */
export function dayStatements({ appointments, places, days }: DaysPlan): Statement[] {
  const changed = appointments.filter((w) => !isNew(w));
  return [
    ...statement(
      'noteChanges',
      changed.map((w) => ({ id: w.id, after: appointmentColumns(w) })),
    ),
    ...statement('free', [...changed, ...places].map(idOf)),
    ...statement(
      'insertAppointments',
      appointments.filter(isNew).map((w) => ({ id: w.id, ...appointmentColumns(w), ...lossColumns(w) })),
    ),
    ...statement(
      'updateAppointments',
      changed.map((w) => ({
        id: w.id,
        version: versionOf(w),
        replaces_loss: w.replacesLoss,
        ...appointmentColumns(w),
        ...lossColumns(w),
      })),
    ),
    ...statement(
      'updatePlaces',
      places.map((p) => ({ id: p.id, status: p.status, version: p.replaces + 1, ...placeColumns(p) })),
    ),
    ...statement(
      'keepImported',
      places.map((p) => ({ key: p.key, version: p.replaces + 1 })),
    ),
    ...statement(
      'forget',
      appointments.flatMap(({ formerKey }) => (formerKey === null ? [] : [{ key: formerKey }])),
    ),
    ...statement(
      'remember',
      appointments.map((w) => ({ kind: 'appointment', ...linkOf(w) })),
    ),
    ...statement('bumpDays', days),
  ];
}

const linkOf = (write: Write<unknown>): Link => ({
  key: write.key,
  hash: write.hash,
  id: write.id,
  version: versionOf(write),
});

const therapistRow = (write: TherapistWrite) => {
  const { id, displayName, record: t } = write;
  return {
    id,
    version: versionOf(write),
    first_name: t.firstName,
    last_name: t.lastName,
    ...shownAs(displayName),
    location: t.location,
    specialization: t.specialization,
    gender: t.gender,
    start_date: t.startDate,
    end_date: t.endDate ?? null,
    consistency: t.consistency,
    week_minutes: inMinutes(t.weekHours),
    day_minutes: inMinutes(t.dayHours),
    guaranteed_minutes: inMinutes(t.guaranteedHours),
  };
};

const contactRows = (owner: 'therapist_id' | 'client_id', { id, record }: TherapistWrite | ClientWrite) =>
  (record.contacts ?? []).map((contact, i) => ({ [owner]: id, rank: i + 1, ...contact }));

const credentialRows = ({ id, record }: TherapistWrite) =>
  (record.credentials ?? []).map((each) => ({ therapist_id: id, ...each }));

const tagRows = ({ id, record }: TherapistWrite) =>
  (record.tags ?? []).map((tag) => ({ therapist_id: id, tag_key: nameKey(tag.tag), ...tag }));

const needRows = ({ id, record }: ClientWrite) =>
  (record.needs ?? []).map((need) => ({ client_id: id, tag_key: nameKey(need.tag), ...need }));

const windowRows = ({ id, record }: TherapistWrite) =>
  record.availability.map((w) => ({
    therapist_id: id,
    day_of_week: w.day,
    start_minute: w.start,
    end_minute: w.end,
    from_date: w.from ?? null,
    until_date: w.until ?? null,
  }));

const clientRow = (write: ClientWrite) => {
  const { id, displayName, record: c } = write;
  const unsaid = isNew(write) ? false : undefined;
  return {
    id,
    version: versionOf(write),
    first_name: c.firstName,
    last_name: c.lastName,
    ...shownAs(displayName),
    location: c.location,
    gender: c.gender,
    end_date: c.endDate,
    two_to_one: c.twoToOne ?? unsaid,
    care_team_only: c.careTeamOnly ?? unsaid,
    rbt_or_above: c.rbtOrAbove ?? unsaid,
  };
};

const restrictionRows = ({ id, record }: ClientWrite) => [
  ...(record.requiresGender ?? []).map((g) => ({ client_id: id, requires_gender: g, excludes_therapist_id: null })),
  ...(record.excludesTherapist ?? []).map((t) => ({ client_id: id, requires_gender: null, excludes_therapist_id: t })),
];

const placeColumns = ({ place }: { readonly place: AppointmentWrite['place'] }) => ({
  place: place.place,
  client_place: place.clientPlace,
  seat: place.seat,
  clash: place.clash,
});

const appointmentColumns = (write: AppointmentWrite) => {
  const { record: a } = write;
  return {
    wire_id: a.wireId,
    location: a.location,
    client_id: a.clientId,
    therapist_id: a.therapistId,
    service: a.service,
    subject: a.subject,
    status: a.status,
    starts: timestampOf(a.date, a.start),
    ends: timestampOf(a.date, a.end),
    group_key: a.groupKey,
    ...placeColumns(write),
  };
};

const lossColumns = ({ record: { loss } }: AppointmentWrite) => ({
  lost_by: loss?.lostBy ?? null,
  cause_id: loss?.cause ?? null,
  known_at: loss?.known ?? null,
});
