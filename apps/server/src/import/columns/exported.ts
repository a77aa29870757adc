import type { ImportKind } from '@clinic/contract';

export const CONTACT_FIELDS = ['name', 'relation', 'phone', 'email', 'language', 'preferred'] as const;
/** As many as a row has columns for. */
export const CONTACTS = [1, 2, 3] as const;
const CONTACT_COLUMNS = CONTACTS.flatMap((n) => CONTACT_FIELDS.map((field) => `contact_${n}_${field}`));

/** The columns of the files that an export writes, in their order. */
export const EXPORTED: Readonly<Record<ImportKind, readonly string[]>> = {
  therapists: [
    'id',
    'first_name',
    'last_name',
    'location',
    'specialization',
    'gender',
    'start_date',
    'end_date',
    'week_hours',
    'day_hours',
    'guaranteed_hours',
    'consistency',
    'availability',
    'tags',
    ...CONTACT_COLUMNS,
  ],
  clients: [
    'id',
    'first_name',
    'last_name',
    'location',
    'gender',
    'end_date',
    'restrictions',
    'needs',
    'prefers',
    ...CONTACT_COLUMNS,
  ],
  appointments: [
    'Id',
    'StartDateTime',
    'EndDateTime',
    'Subject',
    'Preferred_Provider_Name',
    'Provider Id',
    'Appointment_Status',
    'Client Name',
    'Client Id',
    'Location',
    'Cancellation Reason',
    'Cancelled By',
    'Cancelled At',
  ],
  authorizations: [
    'client',
    'client_id',
    'location',
    'payer',
    'code',
    'number',
    'from_date',
    'until_date',
    'units',
    'unit_type',
    'period',
    'prior_units',
    'prior_until',
  ],
  credentials: ['therapist', 'therapist_id', 'location', 'credential', 'number', 'from_date', 'until_date'],
};
