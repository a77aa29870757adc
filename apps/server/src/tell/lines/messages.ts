import { languageIn, say, type IsoDate } from '@clinic/domain';
import type { Line } from './line.ts';
import type { Reach } from './reach.ts';

/**
 * The words of a message about these lines. They name no child, no service and no other person: `Your day on Fri 20 Nov
 * has changed: 2 new, 1 gone. Open …`, or `has changed again` if the person may have heard something that no longer holds.
 * What someone is only asked for has not changed their day. In the person's language.
 */
export function wordsOf(
  lines: readonly Pick<Line, 'changes' | 'outdated' | 'asked' | 'withdrawn'>[],
  date: IsoDate,
  { ownPage, language: code }: Pick<Reach, 'ownPage' | 'language'>,
  publicUrl: string | undefined,
): string {
  const settled = lines.flatMap(({ changes, asked, withdrawn }) =>
    changes.filter((change) => !asked.includes(change) && !withdrawn.includes(change)),
  );
  const language = languageIn(code);
  const count = (of: 'added' | 'removed', what: 'new' | 'gone'): string[] => {
    const n = settled.filter((change) => change.what === what).length;
    return n === 0 ? [] : [say(language, `${of}.${language.plural(n)}`, { count: String(n) })];
  };
  const asks = lines.some(({ asked }) => asked.length > 0);
  const outdated = lines.some((line) => line.outdated);
  const on = { date: language.messageDate(date) };
  const changes = [...count('added', 'new'), ...count('removed', 'gone')].join(', ');
  const sentences =
    settled.length > 0
      ? [
          say(language, outdated && !asks ? 'dayChangedAgain' : 'dayChanged', { ...on, changes }),
          ...(asks ? [say(language, 'alsoAsks')] : []),
        ]
      : [say(language, asks ? (outdated ? 'asksAgain' : 'asks') : 'asksNoMore', on)];
  const page = ownPage && publicUrl !== undefined ? `${publicUrl}/me` : null;
  return [...sentences, page === null ? say(language, 'callUs') : say(language, 'open', { url: page })].join(' ');
}

/** Whether the person said no to the line's current version, and the no stands. If so, the line waits for another plan. */
export const saidNo = ({ since, version }: Pick<Line, 'since' | 'version'>): boolean =>
  since.some((each) => each.answer === 'said-no' && !each.takenBack && each.version === version);

/**
 * Returns why no message may go out about the line; null if one may. A line waits for the next plan if that will change
 * what the person has to know (`waits`), or for someone's yes (`ask`), and families whom the clinic promised to ring are
 * rung (`promise`).
 */
export function whyNotSent(
  line: Pick<Line, 'since' | 'version' | 'waitsFor' | 'after' | 'promised'>,
): 'said-no' | 'waits' | 'ask' | 'promise' | null {
  if (saidNo(line)) return 'said-no';
  if (line.waitsFor.length > 0) return 'waits';
  if (line.after.length > 0) return 'ask';
  return line.promised === null ? null : 'promise';
}
