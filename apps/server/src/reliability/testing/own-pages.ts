import type { CallLine, CallsReply, OwnChange, OwnWeek } from '@clinic/contract';
import { overlaps, parseTime } from '@clinic/domain';
import type { SignedIn } from '../../testing/test-app.ts';
import type { SmallApp } from '../../testing/small-app.ts';
import { minuteOf, type Minutes } from '../../testing/told-model.ts';

/** A therapist with an account of their own. */
interface OwnPage {
  readonly id: string;
  readonly name: string;
  readonly own: SignedIn;
}

/** Makes an account for each therapist of the small clinic. */
export async function openPages({ app, db }: SmallApp): Promise<OwnPage[]> {
  const rows = await db.selectFrom('therapist').select(['id', 'display_name']).orderBy('id').execute();
  const pages: OwnPage[] = [];
  for (const { id, display_name: name } of rows)
    pages.push({ id, name, own: await app.signIn({ role: 'therapist', therapistId: id, locations: ['altamonte'] }) });
  return pages;
}

/** The first of these pages that shows a change on a date at the location to which the therapist has not said no. */
export async function changedPage(
  pages: readonly OwnPage[],
  date: string,
): Promise<(OwnPage & { readonly change: OwnChange }) | null> {
  for (const page of pages) {
    const reply = await page.own.call({ url: '/api/me' });
    if (reply.statusCode !== 200) throw new Error(reply.body);
    const { changes } = reply.json<OwnWeek>();
    const change = changes.find((each) => each.date === date && each.location === 'altamonte' && !each.said_no);
    if (change) return { ...page, change };
  }
  return null;
}

/** Whether the result of a call is a no that stands. */
export const isNo = ({ answer, taken_back }: CallLine['answers'][number]): boolean =>
  answer === 'said-no' && !taken_back;

/** The day that a therapist knows after an answer on their page: what is undecided stays as they know it. */
export function withUndecided(now: Minutes, known: Minutes, { undecided = [] }: OwnChange): Minutes {
  const at = (minute: number): boolean =>
    undecided.some(({ start, end }) =>
      overlaps({ start: parseTime(start) ?? 0, end: parseTime(end) ?? 0 }, { start: minute, end: minute + 1 }),
    );
  return new Set([...now, ...[...known].filter((each) => !now.has(each) && at(minuteOf(each)))]);
}

export type NoShown = Pick<CallsReply['declined'][number], 'id' | 'therapist' | 'words'>;
export const idsOf = (noes: readonly Pick<NoShown, 'id'>[]): string[] => noes.map(({ id }) => id).sort();
/** The ids of the noes that are among the first and not among the second. */
export const gone = (these: readonly NoShown[], those: readonly NoShown[]): string[] =>
  idsOf(these.filter(({ id }) => !those.some((each) => each.id === id)));
/** The ids of a therapist's own noes; a family's are not needed. */
export const noesOf = ({ name }: { readonly name: string }, noes: readonly NoShown[]): string[] =>
  idsOf(noes.filter(({ therapist, words }) => therapist === name && !words.includes('was refused by')));
