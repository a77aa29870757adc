/** What a choice among the options of a standing replacement gives to whom. */
import type { StandingOption } from '@clinic/contract';
import { isoDate, type IsoDate } from '@clinic/domain';
import { refusal } from '../../platform/refusal.ts';
import type { StoredStanding } from './stored-standing.ts';

/** The names of the chosen options, by the child's id. */
export type Choice = Readonly<Record<string, string>>;

/** A session on a date, and who takes it. */
export interface Taken {
  readonly series: string;
  readonly date: IsoDate;
  readonly therapist: string;
  readonly option: string;
  readonly keys: readonly string[];
}

/** The sessions that a choice gives to somebody. */
export function takenBy({ reply, rows }: StoredStanding, choice: Choice): Taken[] {
  const taken = Object.entries(choice).flatMap(([id, name]) => {
    const child = reply.children.find((each) => each.id === id);
    const option = reply.options.find((each) => each.name === name);
    if (!child || !option) throw refusal('no-such-child');
    return child.series.flatMap(({ id: series }) => takenIn(option, series, rows[series] ?? {}));
  });
  if (taken.length === 0) throw refusal('nothing-selected');
  return taken.sort((a, b) => (a.date < b.date ? -1 : a.date > b.date ? 1 : 0));
}

const takenIn = (option: StandingOption, series: string, rows: Readonly<Record<string, readonly string[]>>): Taken[] =>
  (option.series[series]?.runs ?? []).flatMap(({ therapist, dates }) =>
    dates.map((date) => ({ series, date: isoDate(date), therapist, option: option.name, keys: rows[date] ?? [] })),
  );

/** The clients of a child's id in the options; a group's id names all of them. */
export const membersOf = (id: string): string[] =>
  id.startsWith('group:') ? id.slice('group:'.length).split('+') : [id];
