/**
 * The server names a field as programs do (`first_name: is longer than 80 characters`); people read its label. Pure.
 * Every form's fields are here, so that a banner anywhere reads like the form above it.
 */
const LABELS: Readonly<Record<string, string>> = {
  first_name: 'First name',
  last_name: 'Last name',
  location: 'Location',
  specialization: 'Specialization',
  gender: 'Gender',
  start_date: 'Start date',
  consistency: 'Consistency',
  availability: 'Weekly Availability',
  restrictions: 'Client Restrictions',
  client: 'Client',
  therapist: 'Therapist',
  date: 'Date',
  start: 'From',
  end: 'To',
  start_time: 'From',
  end_time: 'To',
  subject: 'Subject',
  status: 'Status',
  weekly_until: 'Weekly until',
  scope: 'Series',
  name: 'Name',
  email: 'Email',
  role: 'Role',
  locations: 'Locations',
  password: 'Password',
  your_password: 'Your own password',
  current_password: 'Your password',
  new_password: 'New password',
};

/** What a refusal says of one field: `field` by its program name, `text` a sentence that can stand beside it. */
export interface FieldRefusal {
  readonly field: string;
  readonly text: string;
}

/** A field's path and its colon, at the start or after another field's sentence. */
const NAMED = /(^|; )([a-z][a-z_]*(?:\.\w+)*): /g;
const isKnown = (path: string): boolean => Object.hasOwn(LABELS, path.split('.')[0] ?? '');

/** `availability.2.end_time` as `Weekly Availability, entry 3, To`. */
const labelOf = (path: string): string =>
  path
    .split('.')
    .map((part) => (/^\d+$/.test(part) ? `entry ${Number(part) + 1}` : (LABELS[part] ?? part.replaceAll('_', ' '))))
    .join(', ');

/** The refusal with labels for the names of fields; any other text as it is. */
export const refusalWords = (text: string): string =>
  text.replace(NAMED, (whole, before: string, path: string) => (isKnown(path) ? `${before}${labelOf(path)}: ` : whole));

/** What the refusal says of whole fields; of a part of one, or of none, nothing. */
export function fieldRefusals(text: string): FieldRefusal[] {
  const found = [...text.matchAll(NAMED)].filter(([, , path = '']) => isKnown(path));
  return found
    .map((match, i) => {
      const rest = text.slice(match.index + match[0].length, found[i + 1]?.index);
      return { field: match[2] ?? '', text: rest.charAt(0).toUpperCase() + rest.slice(1) };
    })
    .filter(({ field }) => !field.includes('.'));
}
