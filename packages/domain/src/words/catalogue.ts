import { capital, possessive } from '../names.ts';

/**
 * A catalogue holds whole sentences, by key, with the names of their values in braces: `You have {work} {when}.` A
 * value's name with a capital (`{Work}`) begins the value with one, and `{child’s}` is the value's possessive. A value may
 * be another entry of the same catalogue, such as a time with its place, but never a verb.
 */
export type Catalogue = Readonly<Record<string, string>>;

type Plain<Name> = Name extends `${infer Of}’s` ? Of : Name;
/** The names of a sentence's values. */
type Named<Text> = Text extends `${string}{${infer Name}}${infer Rest}`
  ? Uncapitalize<Plain<Name> & string> | Named<Rest>
  : never;

/** The values that a sentence takes: none, or one for each name. */
export type ValuesOf<Text> = [Named<Text>] extends [never] ? [] : [values: Readonly<Record<Named<Text>, string>>];

const VALUE = /\{(\p{L}+)(’s)?\}/gu;

/** Puts the values into a sentence. */
export const fill = (text: string, values: Readonly<Record<string, string>> = {}): string =>
  text.replace(VALUE, (_, name: string, owner: string | undefined) => {
    const own = name.charAt(0).toLowerCase() + name.slice(1);
    const value = values[own] ?? '';
    const shown = own === name ? value : capital(value);
    return owner === undefined ? shown : possessive(shown);
  });
