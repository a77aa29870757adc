import { nameKey, type IsoDate } from '@clinic/domain';
import type { DemoPeople } from './people.ts';
import type { WeekDraft } from './week-draft.ts';

/** The demo therapists' tags. Every n-th therapist has a tag, starting with the therapist at index `first`. */
const SKILLS = [
  { tag: 'Spanish', every: 5, first: 1 },
  { tag: 'Crisis training', every: 2, first: 0 },
  { tag: 'Feeding', every: 4, first: 2 },
  { tag: 'Lifting', every: 3, first: 1 },
] as const;

/** The needs of some families, few enough to be met on most days. */
const NEEDS = [
  { tag: 'Spanish', must: false, every: 7, first: 3 },
  { tag: 'Crisis training', must: true, every: 14, first: 5 },
  { tag: 'Feeding', must: false, every: 11, first: 2 },
] as const;

const isOneOf = (i: number, { every, first }: { readonly every: number; readonly first: number }): boolean =>
  i % every === first;

/**
 * The therapists' tags. A third of the crisis training tags have already expired, but whoever is booked with a child has
 * what the child needs.
 */
export function demoTags(people: DemoPeople, weeks: readonly WeekDraft[], today: IsoDate) {
  const lastYear = `${Number(today.slice(0, 4)) - 1}`;
  const needs = new Set(demoNeeds(people).flatMap((need) => (need.must ? [`${need.client_id} ${need.tag}`] : [])));
  const used = new Set(
    weeks.flatMap(({ sessions }) =>
      sessions.flatMap(({ client, therapist }) =>
        SKILLS.flatMap(({ tag }) =>
          client && therapist && needs.has(`${client.id} ${tag}`) ? [`${therapist.id} ${tag}`] : [],
        ),
      ),
    ),
  );
  return people.therapists.flatMap((therapist, i) =>
    SKILLS.flatMap((skill) => {
      const { tag } = skill;
      const isUsed = used.has(`${therapist.id} ${tag}`);
      if (!isUsed && !isOneOf(i, skill)) return [];
      const isOver = tag === 'Crisis training' && i % 6 === 4 && !isUsed;
      const until_date = isOver ? `${lastYear}-12-31` : null;
      return [{ therapist_id: therapist.id, tag, tag_key: nameKey(tag), from_date: null, until_date }];
    }),
  );
}

/** The tags that clients need or prefer in a therapist. */
export const demoNeeds = ({ clients }: DemoPeople) =>
  clients.flatMap((client, i) =>
    NEEDS.filter((need) => isOneOf(i, need)).map(({ tag, must }) => ({
      client_id: client.id,
      tag,
      tag_key: nameKey(tag),
      must,
    })),
  );
