import { mapValues } from './lists.ts';
import { chosenIn, firstFault, type MixChoices, type MixFacts } from './mix-faults.ts';
import type { OneChoice } from './mix.ts';

/** A client on a date. */
type Place = Pick<OneChoice, 'date' | 'client'>;

const placeKey = ({ date, client }: Place): string => JSON.stringify([date, client]);

const withChanges = (choices: MixChoices, changes: MixChoices): MixChoices => ({
  ...choices,
  ...mapValues(changes, (clients, date) => ({ ...choices[date], ...clients })),
});

/**
 * Makes a mix possible by changing as few other choices as it can; the choices in `kept` stay. Tries at most `limit`
 * mixes, starting with the fewest changes. If none works, gives everyone else the option of the first choice in `kept`,
 * since choices of one option always fit together: first only on the dates of the kept choices, then on all dates.
 * Returns null if the mix is still impossible, for example because the choices in `kept` conflict.
 * @param optionNames the names of each date's options
 */
export function settle(
  facts: MixFacts,
  choices: MixChoices,
  kept: readonly Place[],
  optionNames: Readonly<Record<string, readonly string[]>>,
  limit = 2000,
): { changes: MixChoices } | null {
  const held = new Set(kept.map(placeKey));
  const seen = new Set<string>();
  let frontier: MixChoices[] = [{}];
  let looked = 0;
  while (frontier.length > 0) {
    const next: MixChoices[] = [];
    for (const changes of frontier) {
      if (looked++ > limit) break;
      const fault = firstFault(facts, withChanges(choices, changes));
      if (!fault) return { changes };
      for (const place of [...fault.choices, ...fault.others]) {
        const { date, client } = place;
        if (held.has(placeKey(place)) || chosenIn(changes, place) !== undefined) continue;
        for (const option of optionNames[date] ?? []) {
          if (option === chosenIn(choices, place)) continue;
          const tried = { ...changes, [date]: { ...changes[date], [client]: option } };
          const key = sortedKey(tried);
          if (!seen.has(key)) {
            seen.add(key);
            next.push(tried);
          }
        }
      }
    }
    if (looked > limit) break;
    frontier = next;
  }
  const dates = Object.keys(choices);
  for (const on of [kept.map(({ date }) => date), dates]) {
    const changes = allTo(choices, kept, held, on, optionNames);
    if (firstFault(facts, withChanges(choices, changes)) === null) return { changes };
  }
  return null;
}

const sortedKey = (changes: MixChoices): string =>
  JSON.stringify(
    Object.entries(changes)
      .flatMap(([date, clients]) => Object.entries(clients).map(([client, option]) => [date, client, option]))
      .sort(),
  );

/**
 * The changes that give everyone on these dates the same option: that of the first choice in `kept`, or else the date's
 * first option.
 */
function allTo(
  choices: MixChoices,
  kept: readonly Place[],
  held: ReadonlySet<string>,
  on: readonly string[],
  optionNames: Readonly<Record<string, readonly string[]>>,
): MixChoices {
  const wanted = kept.map((place) => chosenIn(choices, place)).find((option) => option !== undefined);
  const changes: Record<string, Record<string, string>> = {};
  for (const date of new Set(on)) {
    const names = optionNames[date] ?? [];
    const option = names.find((name) => name === wanted) ?? names[0];
    for (const [client, now] of Object.entries(choices[date] ?? {}))
      if (option !== undefined && now !== option && !held.has(placeKey({ date, client })))
        changes[date] = { ...changes[date], [client]: option };
  }
  return changes;
}
