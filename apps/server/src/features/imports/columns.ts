import { CONTACT_COLUMNS } from './contact-columns.ts';
import { CREDENTIAL_COLUMNS } from './tag-columns.ts';
import { AUTHORIZATION_COLUMNS, CREDENTIAL_FILE_COLUMNS } from './detail-rows.ts';
import { IMPORT_KINDS, UnreadableFile, type ImportKind } from './import-types.ts';

interface Column {
  readonly name: string;
  /** Other names for it in exports. */
  readonly also?: readonly string[];
  readonly optional?: true;
}

/** The columns of each export; DATA-01 names those of appointments. */
const COLUMNS: Readonly<Record<ImportKind, readonly Column[]>> = {
  therapists: [
    { name: 'id' },
    { name: 'first_name' },
    { name: 'last_name' },
    { name: 'location' },
    { name: 'specialization' },
    { name: 'gender' },
    { name: 'start_date' },
    { name: 'end_date', optional: true, also: ['last_day', 'termination_date'] },
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
    { name: 'id' },
    { name: 'first_name' },
    { name: 'last_name' },
    { name: 'location' },
    { name: 'gender' },
    { name: 'restrictions' },
    { name: 'needs', optional: true, also: ['required_skills', 'skills_required'] },
    { name: 'prefers', optional: true, also: ['preferred_skills', 'skills_preferred'] },
    ...CONTACT_COLUMNS,
  ],
  appointments: [
    { name: 'Id', also: ['Appointment Id', 'Session Id', 'Event Id'] },
    { name: 'StartDateTime', also: ['Start', 'Start Time', 'Appointment Start', 'Scheduled Start'] },
    { name: 'EndDateTime', also: ['End', 'End Time', 'Appointment End', 'Scheduled End'] },
    { name: 'Subject', also: ['Appointment Type', 'Session Type', 'Service', 'Service Type', 'Service Code'] },
    {
      name: 'Preferred_Provider_Name',
      also: ['Provider', 'Provider Name', 'Rendering Provider', 'Therapist', 'Therapist Name', 'Staff', 'Staff Name'],
    },
    { name: 'Appointment_Status', also: ['Status', 'Session Status'] },
    { name: 'Client Name', also: ['Client', 'Patient', 'Patient Name', 'Learner', 'Learner Name'] },
    { name: 'Location', also: ['Location Name', 'Clinic', 'Site', 'Office', 'Service Location'] },
    { name: 'Location Group', optional: true }, // the location implies it
  ],
  authorizations: AUTHORIZATION_COLUMNS,
  credentials: CREDENTIAL_FILE_COLUMNS,
};

const LONGEST_NAME = 100;

/** Letter case, spaces, underscores and other marks do not matter. A long text cannot be a column's name. */
const headerKey = (text: string): string =>
  text
    .slice(0, LONGEST_NAME)
    .normalize('NFC')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]/gu, '');

/** How many of the kind's columns a header has. */
export function knownColumns(header: readonly string[], kind: ImportKind): number {
  const keys = new Set(header.map(headerKey));
  return COLUMNS[kind].filter(({ name, also = [] }) => [name, ...also].some((each) => keys.has(headerKey(each))))
    .length;
}

/**
 * The position of each column of the kind, by its own name. Order, letter case and additional columns do not matter.
 * Throws UnreadableFile when a required column is missing or occurs twice.
 */
export function findColumns(header: readonly string[], kind: ImportKind, file: string): ReadonlyMap<string, number> {
  const keys = header.map(headerKey);
  const found = new Map<string, number>();
  const missing: string[] = [];
  for (const { name, optional, also = [] } of COLUMNS[kind]) {
    // Its own name first, then the others in their order.
    const called = [name, ...also].map(headerKey).find((key) => keys.includes(key)) ?? headerKey(name);
    const at = keys.indexOf(called);
    if (at >= 0 && keys.indexOf(called, at + 1) >= 0) {
      throw new UnreadableFile(`${file} has the column ${name} twice: remove one of them.`);
    }
    if (at >= 0) found.set(name, at);
    else if (!optional) missing.push(name);
  }
  if (missing.length > 0) throw new UnreadableFile(missingText(header, kind, file, missing));
  return found;
}

function missingText(header: readonly string[], kind: ImportKind, file: string, missing: readonly string[]): string {
  const other = IMPORT_KINDS.find(
    (k) =>
      k !== kind && COLUMNS[k].every((c) => c.optional || header.some((text) => headerKey(text) === headerKey(c.name))),
  );
  const hint = other ? ` It looks like an export of ${other}.` : '';
  const article = kind.startsWith('a') ? 'an' : 'a';
  return `${file} does not look like ${article} ${kind.slice(0, -1)} export: it has no column ${missing.join(', ')}.${hint}`;
}
