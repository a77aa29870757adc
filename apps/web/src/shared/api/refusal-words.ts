import { FIELD_LABELS } from '../field-labels.ts';

/**
 * The labels on the screens, which replace the field names in the server's messages (`first_name: is longer than 80
 * characters`).
 */
const LABELS: Readonly<Record<string, string>> = FIELD_LABELS;

/** The part of a refusal about one field: `field` is its name in the API, `text` the sentence to show beside it. */
export interface FieldRefusal {
  readonly field: string;
  readonly text: string;
}

/** Matches a field's name and colon, at the start of a message or after the sentence about another field. */
const NAMED = /(^|; )([a-z][a-z_]*(?:\.\w+)*): /g;
const isKnown = (path: string): boolean => Object.hasOwn(LABELS, path.split('.')[0] ?? '');

/** A field's label: `availability.2.end_time` becomes `Weekly Availability, entry 3, To`. */
const labelOf = (path: string): string =>
  path
    .split('.')
    .map((part) => (/^\d+$/.test(part) ? `entry ${Number(part) + 1}` : (LABELS[part] ?? part.replaceAll('_', ' '))))
    .join(', ');

/** A refusal with labels in place of field names. Any other text is returned unchanged. */
export const refusalWords = (text: string): string =>
  text.replace(NAMED, (whole, before: string, path: string) => (isKnown(path) ? `${before}${labelOf(path)}: ` : whole));

/**
 * The parts of a refusal about whole fields. A refusal about part of a field, such as one entry of a list, is left
 * out.
 */
export function fieldRefusals(text: string): FieldRefusal[] {
  const found = [...text.matchAll(NAMED)].filter(([, , path = '']) => isKnown(path));
  return found
    .map((match, i) => {
      const rest = text.slice(match.index + match[0].length, found[i + 1]?.index);
      return { field: match[2] ?? '', text: rest.charAt(0).toUpperCase() + rest.slice(1) };
    })
    .filter(({ field }) => !field.includes('.'));
}
