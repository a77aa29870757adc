import { isLocation, keysOf, locationLabel, longDate, mapValues, parseDate } from '@clinic/domain';

/** The one-line fields of a profile's form: how each field is typed, checked, sent and shown. */

export interface FormField<Value> {
  readonly input: 'text' | 'date' | 'number' | 'hours' | 'location' | 'gender' | 'specialization';
  readonly required: boolean;
  /** A note after the label. */
  readonly hint?: string;
  /** What is wrong with a typed value, or true if it is valid. Not called for an empty value. */
  check(typed: string): true | string;
  toForm(value: Value): string;
  toBody(typed: string): Value;
  /** Puts the value into words for the view; null if the view shows the field in another place. */
  readonly read: ((value: Value) => string) | null;
}

/** The parts of a field needed to render it, whatever the type of its value. */
export type DrawnField = Pick<FormField<never>, 'input' | 'required' | 'hint' | 'check'>;
/** All of a form's fields, in the order in which they are shown. */
export type FormFields<Profile, Names extends keyof Profile> = { readonly [N in Names]: FormField<Profile[N]> };
type Fields<Profile, Names extends keyof Profile & string> = FormFields<Pick<Profile, Names>, Names>;

const asTyped = { required: true, check: (): true | string => true, toForm: (value: string) => value };

export const textField = (): FormField<string> => ({
  ...asTyped,
  input: 'text',
  toBody: (typed) => typed.trim(),
  read: (value) => value,
});

/** An optional text field. The view shows its text in another place. */
export const noteField = (): FormField<string> => ({ ...textField(), required: false, read: null });

export const choiceField = <T extends string>(input: FormField<T>['input']): FormField<T> => ({
  ...asTyped,
  input,
  toBody: (typed) => typed as T,
  read: placeOf,
});

export const dateField = (): FormField<string> => ({
  ...asTyped,
  input: 'date',
  check: (typed) => parseDate(typed) !== null || 'This date does not exist',
  toBody: (typed) => typed,
  read: dateInWords,
});

export const optionalDateField = (none: string): FormField<string | null> => ({
  ...dateField(),
  required: false,
  toForm: (value) => value ?? '',
  toBody: (typed) => (typed === '' ? null : typed),
  read: (value) => (value === null ? none : dateInWords(value)),
});

/** The name of a location; anything else is returned unchanged. */
export const placeOf = (value: string): string => (isLocation(value) ? locationLabel(value) : value);

/** A date in words, such as `March 4, 2024`; anything else is returned unchanged. */
export function dateInWords(text: string): string {
  const date = parseDate(text);
  return date ? longDate(date).replace(/^\w+, /, '') : text;
}

const fromEach = <N extends string, V>(fields: Readonly<Record<N, unknown>>, of: (name: N) => V): Record<N, V> =>
  mapValues(fields, (_, name) => of(name));

export const blankFields = <N extends string>(fields: Readonly<Record<N, unknown>>): Record<N, string> =>
  fromEach(fields, () => '');

export const fieldsToForm = <P, N extends keyof P & string>(fields: Fields<P, N>, profile: P): Record<N, string> =>
  fromEach(fields, (name) => fields[name].toForm(profile[name]));

export const fieldsToBody = <P, N extends keyof P & string>(
  fields: Fields<P, N>,
  form: Readonly<Record<N, string>>,
): Pick<P, N> => fromEach(fields, (name) => fields[name].toBody(form[name])) as Pick<P, N>;

/** The label and value of each field that the view shows. */
export const fieldsToRead = <P, N extends keyof P & string>(
  fields: Fields<P, N>,
  labels: Readonly<Record<NoInfer<N>, string>>,
  profile: P,
): [string, string][] =>
  keysOf<N>(fields).flatMap((name) => {
    const { read } = fields[name];
    return read === null ? [] : [[labels[name], read(profile[name])]];
  });

/** What is wrong with a typed value, or true if it is valid (PROF-06). Shown beside the field. */
export function checkField(field: Pick<DrawnField, 'required' | 'check'>, label: string, typed: string): true | string {
  if (typed.trim() === '') return field.required ? `${label} is required` : true;
  return field.check(typed);
}

/** The version that was edited, to be spread into the request body; empty for a new profile. */
export const versionIn = (version: number | undefined): { version?: number } =>
  version === undefined ? {} : { version };
