import { nameKey, pushTo, type PayerRequirement } from '@clinic/domain';

interface TagOf {
  readonly person: string;
  readonly tag: string;
  readonly key: string;
}

/**
 * Gives each tag one spelling for all people and payers, because plans compare tags letter by letter. If spellings
 * differ, the client's spelling comes first, then the payer's, then the therapist's.
 */
export function inOneSpelling(
  needs: readonly (TagOf & { readonly must: boolean })[],
  tags: readonly TagOf[],
  payers: ReadonlyMap<string, PayerRequirement>,
) {
  const required = [...payers.values()].flatMap(({ tag }) => (tag === null ? [] : [{ key: nameKey(tag), tag }]));
  const spelling = new Map([...needs, ...required, ...tags].toReversed().map(({ key, tag }) => [key, tag]));
  const spelled = (tag: string | null): string | null => (tag === null ? null : (spelling.get(nameKey(tag)) ?? tag));
  const byPerson = (rows: readonly TagOf[]): ReadonlyMap<string, string[]> => {
    const lists = new Map<string, string[]>();
    for (const { person, key, tag } of rows) pushTo(lists, person, spelling.get(key) ?? tag);
    return lists;
  };
  return {
    needs: byPerson(needs.filter(({ must }) => must)),
    prefers: byPerson(needs.filter(({ must }) => !must)),
    tags: byPerson(tags),
    payers: new Map([...payers].map(([key, payer]) => [key, { ...payer, tag: spelled(payer.tag) }])),
  };
}
