import { FIELD_LABELS } from '../field-labels.ts';

/**
 * Replaces the server's names of fields (`first_name: is longer than 80 characters`) by the labels that people know.
 * Pure.
 */
const LABELS: Readonly<Record<string, string>> = FIELD_LABELS;

/** What a refusal says about one field: `field` is its name in the API, `text` a sentence to show beside it. */
export interface FieldRefusal {
  readonly field: string;
  readonly text: string;
}

/** The name of a field and a colon, at the start or after the sentence about another field. */
const NAMED = /(^|; )([a-z][a-z_]*(?:\.\w+)*): /g;
const isKnown = (path: string): boolean => Object.hasOwn(LABELS, path.split('.')[0] ?? '');

/** The label of a field: `availability.2.end_time` is `Weekly Availability, entry 3, To`. */
const labelOf = (path: string): string =>
  path
    .split('.')
    .map((part) => (/^\d+$/.test(part) ? `entry ${Number(part) + 1}` : (LABELS[part] ?? part.replaceAll('_', ' '))))
    .join(', ');

/** A refusal with labels in place of the fields' names; any other text as it is. */
export const refusalWords = (text: string): string =>
  text.replace(NAMED, (whole, before: string, path: string) => (isKnown(path) ? `${before}${labelOf(path)}: ` : whole));

/** What a refusal says about whole fields, but not about a part of a field. */
export function fieldRefusals(text: string): FieldRefusal[] {
  const found = [...text.matchAll(NAMED)].filter(([, , path = '']) => isKnown(path));
  return found
    .map((match, i) => {
      const rest = text.slice(match.index + match[0].length, found[i + 1]?.index);
      return { field: match[2] ?? '', text: rest.charAt(0).toUpperCase() + rest.slice(1) };
    })
    .filter(({ field }) => !field.includes('.'));
}
