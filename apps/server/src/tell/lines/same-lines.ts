import { capital, datesInWords, ENGLISH, groupBy, sayWhen, undated, type IsoDate, type Language } from '@clinic/domain';
import type { Line } from './line.ts';

/** A line of one date that says the same on further dates. */
export interface SameLine {
  readonly line: Line;
  readonly dates: readonly { readonly date: IsoDate; readonly version: string; readonly last_shown: string }[];
  readonly sayIn: (language: Language) => readonly string[];
}

/** The lines of a date. */
export interface DatedLines {
  readonly date: IsoDate;
  readonly lines: readonly Line[];
}

/**
 * Whether one call can settle the line together with those of other dates: the person knows nothing else of the date, no
 * plan must come first, and nobody has to decide about this one date.
 */
const isPlain = ({ again, waitsFor, open, promised }: Line): boolean =>
  again === null && waitsFor.length === 0 && open.length === 0 && promised === null;

/** The lines of the first date that say the same on some of the later ones: same person, same words, same people asked. */
export function sameLines(first: DatedLines, later: readonly DatedLines[], today: IsoDate): SameLine[] {
  const keyOf = (line: Line, date: IsoDate): string =>
    JSON.stringify([line.person, line.call, line.after.map(({ id }) => id), undated(ENGLISH, date, line.say)]);
  const all = later.flatMap(({ date, lines }) => lines.filter(isPlain).map((line) => ({ line, date })));
  const found = groupBy(all, ({ line, date }) => keyOf(line, date));
  return first.lines.filter(isPlain).flatMap((line) => {
    const others = found.get(keyOf(line, first.date)) ?? [];
    if (others.length === 0) return [];
    const dates = [first.date, ...others.map(({ date }) => date)];
    return {
      line,
      dates: others.map((each) => ({ date: each.date, version: each.line.version, last_shown: each.line.newest })),
      sayIn: (language) =>
        sayWhen(
          language,
          capital(datesInWords(dates, today, language.dates)),
          undated(language, first.date, line.sayIn(language)),
        ),
    };
  });
}
