import { FIELD_LABELS } from '../field-labels.ts';

/**
 * The server names fields as programs do (`first_name: is longer than 80 characters`); people read their labels. Pure.
 */
const LABELS: Readonly<Record<string, string>> = FIELD_LABELS;

/** What a refusal says about one field: `field` is its program name, `text` a sentence to show beside it. */
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

/** The refusal with field names replaced by labels; any other text unchanged. */
export const refusalWords = (text: string): string =>
  text.replace(NAMED, (whole, before: string, path: string) => (isKnown(path) ? `${before}${labelOf(path)}: ` : whole));

/** What the refusal says about whole fields; what concerns only part of a field, or no field, is left out. */
export function fieldRefusals(text: string): FieldRefusal[] {
  const found = [...text.matchAll(NAMED)].filter(([, , path = '']) => isKnown(path));
  return found
    .map((match, i) => {
      const rest = text.slice(match.index + match[0].length, found[i + 1]?.index);
      return { field: match[2] ?? '', text: rest.charAt(0).toUpperCase() + rest.slice(1) };
    })
    .filter(({ field }) => !field.includes('.'));
}
