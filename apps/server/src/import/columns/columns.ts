// This file is over 250 lines because it lists the columns of every kind of file, with the other names that exports use.
import { mapValues } from '@clinic/domain';
import {
  CLIENT_IDS,
  CLIENT_PARTS,
  idColumn,
  nameColumns,
  partColumns,
  PROVIDER_IDS,
  PROVIDER_PARTS,
} from './composed.ts';
import { CONTACT_COLUMNS } from './contact-columns.ts';
import { LOSS_COLUMNS, MARK_COLUMNS } from './loss-column-names.ts';
import { CREDENTIAL_COLUMNS } from './tag-columns.ts';
import { LIMITS } from '../read/limits.ts';
import { AUTHORIZATION_COLUMNS, CREDENTIAL_FILE_COLUMNS } from '../rows/detail-rows.ts';
import type { ImportKind } from '../import-types.ts';

export interface Column {
  readonly name: string;
  /** Other names that exports use for the column. */
  readonly also?: readonly string[];
  /** `if-all-known`: a file may lack the column, but only if none of the file's columns is unknown and could hold it. */
  readonly optional?: true | 'if-all-known';
  /** The columns that together can take its place (`composed.ts`). */
  readonly from?: readonly string[];
  /** The columns of which each can take its place. */
  readonly orAny?: readonly string[];
  /** If the file has this column, then `from` cannot take this one's place. */
  readonly unless?: string;
  /** Read only when someone has said that a column holds it: its name alone only suggests that. */
  readonly byAnswer?: true;
  /** Someone can say it once for all rows of a file that lacks it. */
  readonly sayable?: true;
}

const PROVIDERS = [
  'Provider',
  'Provider Name',
  'Rendering Provider',
  'Therapist',
  'Therapist Name',
  'Staff',
  'Staff Name',
];
const SITES = ['Location Name', 'Clinic', 'Site', 'Office', 'Facility'];
const sayable = true as const;

/** The columns of each export; DATA-01 names the columns of appointments. */
export const COLUMNS: Readonly<Record<ImportKind, readonly Column[]>> = {
  therapists: [
    { name: 'id', also: PROVIDER_IDS },
    ...nameColumns(['Therapist', 'Provider', 'Staff', 'Employee']),
    {
      name: 'location',
      also: [...SITES, 'Office Location', 'Primary Location', 'Home Location', 'Work Location'],
      sayable,
    },
    { name: 'specialization', also: ['Credential', 'Credentials', 'Certification', 'Job Title', 'Position'] },
    { name: 'gender', also: ['Sex'] },
    { name: 'start_date', also: ['Hire Date', 'Date of Hire', 'Date Hired', 'Employment Start Date'] },
    { name: 'end_date', optional: true, also: ['last_day', 'termination_date', 'separation_date', 'last_day_worked'] },
    { name: 'week_hours', optional: true, also: ['max_weekly_hours', 'weekly_hours', 'max_hours_per_week'] },
    { name: 'day_hours', optional: true, also: ['max_daily_hours', 'max_hours_per_day'] },
    { name: 'guaranteed_hours', optional: true, also: ['minimum_hours', 'min_weekly_hours'] },
    { name: 'consistency', optional: true },
    { name: 'availability' },
    ...CREDENTIAL_COLUMNS,
    { name: 'tags', optional: true, also: ['skills', 'languages', 'trainings', 'certifications'] },
    ...CONTACT_COLUMNS,
  ],
  clients: [
    { name: 'id', also: CLIENT_IDS },
    ...nameColumns(['Client', 'Patient', 'Learner', 'Student']),
    { name: 'location', also: [...SITES, 'Primary Location', 'Home Location', 'Service Location'], sayable },
    { name: 'gender', also: ['Sex'] },
    { name: 'end_date', optional: true, also: ['last_day', 'discharge_date', 'date_of_discharge'] },
    { name: 'restrictions', optional: 'if-all-known' },
    { name: 'needs', optional: true, also: ['required_skills', 'skills_required'] },
    { name: 'prefers', optional: true, also: ['preferred_skills', 'skills_preferred'] },
    ...CONTACT_COLUMNS,
  ],
  appointments: [
    // Without Ids, sessions are found again by their content.
    { name: 'Id', optional: 'if-all-known', also: ['Appointment Id', 'Appt Id', 'Session Id', 'Event Id'] },
    {
      name: 'StartDateTime',
      also: [
        'Start',
        'Start Time',
        'Appointment Start',
        'Appointment Start Time',
        'Appt Start Time',
        'Scheduled Start',
        'Session Start',
        'Time In',
      ],
      from: ['Time'],
      unless: 'EndDateTime',
    },
    {
      name: 'EndDateTime',
      also: [
        'End',
        'End Time',
        'Appointment End',
        'Appointment End Time',
        'Appt End Time',
        'Scheduled End',
        'Session End',
        'Time Out',
      ],
      from: ['Time'],
      unless: 'StartDateTime',
      orAny: ['Hours', 'Minutes', 'Duration', 'Units'],
    },
    // How long the session takes, in exports without an end.
    {
      name: 'Hours',
      optional: true,
      also: ['Hrs', 'Duration Hours', 'Duration Hrs', 'Total Hours', 'Scheduled Hours', 'Session Hours'],
    },
    {
      name: 'Minutes',
      optional: true,
      also: ['Mins', 'Duration Minutes', 'Duration Mins', 'Duration Min', 'Total Minutes', 'Scheduled Minutes'],
    },
    {
      name: 'Duration',
      optional: true,
      also: ['Session Duration', 'Appointment Duration', 'Length', 'Session Length'],
    },
    // The 15-minute units that are billed for a session.
    {
      name: 'Units',
      optional: true,
      also: [
        'Unit',
        'Billed Units',
        'Billable Units',
        'Scheduled Units',
        'Session Units',
        'Total Units',
        'Units Billed',
      ],
    },
    // Some exports have both times in one column: `8:00 AM - 11:00 AM`.
    {
      name: 'Time',
      optional: true,
      also: ['Session Time', 'Appointment Time', 'Appt Time', 'Scheduled Time', 'Time Range', 'Time Slot'],
    },
    // Some exports have the date in a column of its own, and only times of day in `StartDateTime` and `EndDateTime`.
    {
      name: 'Date',
      optional: true,
      also: ['Appointment Date', 'Appt Date', 'Session Date', 'Service Date', 'Date of Service'],
    },
    {
      name: 'Subject',
      also: [
        'Appointment Type',
        'Appt Type',
        'Session Type',
        'Service',
        'Service Type',
        'Service Code',
        'CPT Code',
        'Procedure Code',
        'CPT',
        'Service Name',
        'Service Description',
        'Procedure',
        'Billing Code',
        'Type',
      ],
    },
    {
      name: 'Preferred_Provider_Name',
      also: [...PROVIDERS, ...PROVIDER_IDS],
      from: PROVIDER_PARTS,
    },
    idColumn('Provider Id', PROVIDER_IDS),
    ...partColumns(PROVIDER_PARTS, ['Provider', 'Rendering Provider', 'Therapist', 'Staff', 'Employee']),
    { name: 'Appointment_Status', also: ['Status', 'Session Status'], sayable },
    {
      name: 'Client Name',
      also: ['Client', 'Patient', 'Patient Name', 'Learner', 'Learner Name', 'Student', 'Student Name', ...CLIENT_IDS],
      from: CLIENT_PARTS,
    },
    idColumn('Client Id', CLIENT_IDS),
    ...partColumns(CLIENT_PARTS, ['Client', 'Patient', 'Learner', 'Student']),
    { name: 'Location', also: [...SITES, 'Service Location'], sayable },
    { name: 'Location Group', optional: true }, // this column is optional because the location decides the group
    ...LOSS_COLUMNS,
    ...MARK_COLUMNS,
  ],
  authorizations: AUTHORIZATION_COLUMNS,
  credentials: CREDENTIAL_FILE_COLUMNS,
};

/** For each kind of file, the columns in which a cell may say that it has no value. */
export const EMPTIABLE: Readonly<Record<ImportKind, ReadonlySet<string>>> = mapValues(
  COLUMNS,
  (columns) =>
    new Set(
      columns.flatMap(({ name, optional }) => (optional || name === 'Id' || name === 'availability' ? [name] : [])),
    ),
);

/** How many characters of a column's name are read. */
export const LONGEST_NAME = 100;

/** Reduces a name to letters and digits in one case, for comparison. Text too long for a column's name is cut. */
export const headerKey = (text: string): string =>
  text
    .slice(0, LONGEST_NAME)
    .normalize('NFC')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]/gu, '');

/** Counts how many of the columns of this kind of export the header contains. */
export function knownColumns(header: readonly string[], kind: ImportKind): number {
  const keys = new Set(header.map(headerKey));
  return COLUMNS[kind].filter(({ name, also = [] }) => [name, ...also].some((each) => keys.has(headerKey(each))))
    .length;
}

/** The header is looked for in this many rows, because files often have titles above it. */
export const HEADER_WITHIN = 20;

/**
 * Finds the index of the header: the row with the most known columns, if everything above it is nearly empty, such as a
 * title or `sep=;`. Otherwise the first row, so that no row of a table is taken for a title.
 */
export function headerAt(rows: readonly (readonly string[])[], kind: ImportKind): number {
  const top = rows.slice(0, HEADER_WITHIN).map((row) => row.slice(0, LIMITS.columns));
  const known = top.map((row) => knownColumns(row, kind));
  const at = known.indexOf(Math.max(...known));
  const filled = top.map((row) => row.filter((cell) => cell.trim() !== '').length);
  return at > 0 && filled.slice(0, at).every((cells) => cells * 2 < (filled[at] ?? 0)) ? at : 0;
}

/** Makes the key of the answer about a column. */
export const columnKey = (kind: ImportKind, key: string): string => `column ${kind} ${key}`;

/** Our name for a column and its other names, as `headerKey` reduces them. */
export const namesOf = ({ name, also = [] }: Column): string[] => [name, ...also].map(headerKey);
