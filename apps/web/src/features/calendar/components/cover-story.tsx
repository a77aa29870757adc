import css from './hover-card.module.css';
import type { SessionHistory } from '@clinic/contract';
import type { Location } from '@clinic/domain';
import { useSessionHistory } from '../../../shared/api/use-session-history.ts';
import { instantWords } from '../../../shared/instant-words.ts';

/**
 * The part of a covered session's card that says who decided on the cover, when, and who has been told. Loaded when
 * the card is shown.
 */
export function CoverStory({ sessionKey, location }: { sessionKey: string; location: Location }) {
  const { data, isError } = useSessionHistory(sessionKey);
  const cover = data?.cover;
  if (!cover) return isError ? <p className={css.story}>Could not load who decided on this cover.</p> : null;
  return (
    <p className={css.story}>
      Decided by {cover.by}, {instantWords(location, cover.at)}
      {cover.told.length > 0 ? <br /> : null}
      {toldWords(cover.told)}
    </p>
  );
}

/** Who has been told and who has not: `Told: Kai Wood. Not told yet: Family of Bo Lee`. */
function toldWords(people: NonNullable<SessionHistory['cover']>['told']): string {
  const named = (told: boolean): string =>
    people
      .filter((person) => person.told === told)
      .map((person) => person.who)
      .join(', ');
  const [told, open] = [named(true), named(false)];
  return [...(told ? [`Told: ${told}`] : []), ...(open ? [`Not told yet: ${open}`] : [])].join('. ');
}
