import * as z from 'zod/mini';
import { IGNORE_COLUMN } from '@clinic/contract';
import { formatTime, LOSS_SIDES, type Location, type LossSide } from '@clinic/domain';
import { splitZone } from './clinic-zone.ts';
import { parseDateTime, parseDay, tidy } from '../rows/fields.ts';
import type { ImportedLoss, StatusMeaning } from '../import-types.ts';
import { otherWords } from './other-words.ts';
import { keyOfWords, type UnknownWords } from './words.ts';

const causesSchema = z.array(z.object({ id: z.string(), label: z.string(), retired: z.boolean() }));
export type StoredCause = z.infer<typeof causesSchema>[number];

/** Reads what `ImportStore.read('causes')` returns. */
export const parseCauses = (text: string): StoredCause[] => causesSchema.parse(JSON.parse(text));

/**
 * Finds which cause, and which side (such as family or clinic), the words in an export mean. Unknown words become
 * questions.
 */
export class LossTexts {
  readonly #causes = new Map<string, string>();
  readonly #sides = new Map<string, LossSide>();
  readonly #offered: ReadonlySet<string>;
  readonly #words: UnknownWords;

  constructor(causes: readonly StoredCause[], words: UnknownWords) {
    this.#words = words;
    this.#offered = new Set(causes.filter(({ retired }) => !retired).map(({ id }) => id));
    for (const { id } of causes) for (const word of otherWords('cause', id)) this.#causes.set(keyOfWords(word), id);
    // The clinic's own name for a cause overrides any other.
    for (const { id, label } of causes) this.#causes.set(keyOfWords(label), id);
    for (const side of LOSS_SIDES)
      for (const word of [side, ...otherWords('side', side)]) this.#sides.set(keyOfWords(word), side);
  }

  /**
   * Reads the cause, side and time from the row of a cancelled or no-show session; `loss` is null when the row has none
   * of them. `unread` means that the row has a time that cannot be read.
   * @param status what the row's status means; its cause and side count where the row's own columns are empty
   */
  read(
    cell: (name: string) => string,
    status: StatusMeaning,
    location: Location,
  ): { readonly loss: ImportedLoss | null; readonly unread: boolean } {
    const [reason, by, when] = [cell('Cancellation Reason'), cell('Cancelled By'), cell('Cancelled At')];
    const cause = keyOfWords(reason) ? this.#find('cause', reason, this.#causes, this.#offered) : this.#causeIn(status);
    const side = keyOfWords(by) ? this.#find('side', by, this.#sides, SIDES) : this.#sideIn(status);
    const at = momentOf(when, location);
    const loss = { cause, lostBy: LOSS_SIDES.find((each) => each === side) ?? null, known: at };
    return {
      loss: cause === null && side === null && at === null ? null : loss,
      unread: at === null && tidy(when) !== '',
    };
  }

  #causeIn({ cause, said }: StatusMeaning): string | null {
    return cause ?? known(this.#causes, said === undefined ? [] : [...said.words, said.by ?? '']);
  }

  /** Only words after *by* are asked about: other unknown words in a status may mean anything, such as the notice. */
  #sideIn({ lostBy, said }: StatusMeaning): string | null {
    if (lostBy !== null || said === undefined) return lostBy;
    const { by, words } = said;
    if (by === null || this.#causes.has(keyOfWords(by))) return known(this.#sides, words);
    return this.#find('side', by, this.#sides, SIDES);
  }

  #find(
    kind: 'cause' | 'side',
    given: string,
    known: ReadonlyMap<string, string>,
    choices: ReadonlySet<string>,
  ): string | null {
    const answer = known.get(keyOfWords(given)) ?? this.#words.ask(kind, given, choices);
    return answer === IGNORE_COLUMN ? null : answer;
  }
}

/** What the first of these words that are known means. */
const known = <T>(meanings: ReadonlyMap<string, T>, words: readonly string[]): T | null =>
  words.flatMap((word) => meanings.get(keyOfWords(word)) ?? [])[0] ?? null;

const SIDES: ReadonlySet<string> = new Set(LOSS_SIDES);

/** Parses the time into a PostgreSQL `timestamp`; midnight for a date without a time, null for unreadable text. */
function momentOf(text: string, location: Location): string | null {
  const moment = parseDateTime(text, location);
  if (moment) return `${moment.date} ${formatTime(moment.minutes)}:00`;
  // A time with another zone is not the clinic's, not even midnight, which `parseDay` leaves out with its zone.
  const day = splitZone(tidy(text)) ? null : parseDay(text);
  return day === null ? null : `${day} 00:00:00`;
}
