import * as z from 'zod/mini';
import { IGNORE_COLUMN } from '@clinic/contract';
import { formatTime, LOSS_SIDES, nameKey, type LossSide } from '@clinic/domain';
import { causeKey } from './column-answers.ts';
import { parseDateTime, parseDay, tidy } from './fields.ts';
import type { CauseQuestion, ColumnAnswers, ImportedLoss } from './import-types.ts';

/** Other words for the causes that every clinic starts with, by the cause's id. */
const CAUSE_WORDS: Readonly<Record<string, readonly string[]>> = {
  sick: ['ill', 'illness', 'sickness', 'medical'],
  leave: ['vacation', 'holiday', 'pto', 'time off', 'travel'],
  'no-show': ['no call no show', 'did not attend'],
  'family-reason': ['family emergency', 'family matter', 'family conflict'],
  late: ['late arrival', 'arrived late', 'late'],
  weather: ['inclement weather', 'storm', 'hurricane', 'snow'],
  closed: ['office closed', 'clinic closure', 'center closed', 'closure'],
  'no-therapist': ['no staff', 'no provider', 'no coverage', 'staff unavailable', 'provider unavailable'],
  authorization: ['no authorization', 'authorization expired', 'insurance'],
};
const SIDE_WORDS: Readonly<Record<LossSide, readonly string[]>> = {
  therapist: ['provider', 'staff', 'employee', 'technician', 'clinician', 'rbt', 'bt', 'bcba'],
  family: ['client', 'patient', 'learner', 'child', 'parent', 'guardian', 'caregiver', 'mother', 'father'],
  clinic: ['office', 'center', 'company', 'agency', 'admin', 'administrator', 'scheduler'],
  payer: ['payor', 'insurance', 'insurer', 'funder', 'funding source'],
};

const LONGEST_TEXT = 100;
/** Reduces words to letters and digits for comparison: *No-Show* and *no show* have the same key. */
const keyOf = (text: string): string => nameKey(text.slice(0, LONGEST_TEXT)).replace(/[^\p{L}\p{N}]/gu, '');

const causesSchema = z.array(z.object({ id: z.string(), label: z.string(), retired: z.boolean() }));
type StoredCause = z.infer<typeof causesSchema>[number];

/** Reads what `ImportStore.read('causes')` returns. */
export const parseCauses = (text: string): StoredCause[] => causesSchema.parse(JSON.parse(text));

/**
 * Finds which cause, and which side (such as family or clinic), the words in an export mean. Unknown words become one
 * question for all the rows that contain them.
 */
export class LossTexts {
  readonly #causes = new Map<string, string>();
  readonly #sides = new Map<string, LossSide>();
  readonly #offered: ReadonlySet<string>;
  readonly #answers: ColumnAnswers;
  readonly #questions = new Map<string, CauseQuestion>();

  constructor(causes: readonly StoredCause[], answers: ColumnAnswers) {
    this.#answers = answers;
    this.#offered = new Set(causes.filter(({ retired }) => !retired).map(({ id }) => id));
    for (const { id } of causes) for (const word of CAUSE_WORDS[id] ?? []) this.#causes.set(keyOf(word), id);
    // The clinic's own name for a cause overrides any other.
    for (const { id, label } of causes) this.#causes.set(keyOf(label), id);
    for (const side of LOSS_SIDES) for (const word of [side, ...SIDE_WORDS[side]]) this.#sides.set(keyOf(word), side);
  }

  get questions(): readonly CauseQuestion[] {
    return [...this.#questions.values()];
  }

  /**
   * Reads the cause, side and time from the row of a cancelled or no-show session; `loss` is null when the row has none
   * of them. `unread` means that the row has a time that cannot be read.
   */
  read(cell: (name: string) => string): { readonly loss: ImportedLoss | null; readonly unread: boolean } {
    const cause = this.#find('cause', cell('Cancellation Reason'), this.#causes, this.#offered);
    const side = this.#find('side', cell('Cancelled By'), this.#sides, SIDES);
    const when = cell('Cancelled At');
    const known = momentOf(when);
    const loss = { cause, lostBy: LOSS_SIDES.find((each) => each === side) ?? null, known };
    return {
      loss: cause === null && side === null && known === null ? null : loss,
      unread: known === null && tidy(when) !== '',
    };
  }

  #find(
    kind: CauseQuestion['kind'],
    given: string,
    known: ReadonlyMap<string, string>,
    choices: ReadonlySet<string>,
  ): string | null {
    const text = tidy(given).slice(0, LONGEST_TEXT);
    const key = keyOf(text);
    if (key === '') return null;
    const meant = known.get(key);
    if (meant !== undefined) return meant;
    const asked = causeKey(kind, key);
    const answer = this.#answers.get(asked);
    const valid = answer !== undefined && (answer.answer === IGNORE_COLUMN || choices.has(answer.answer));
    const question = this.#questions.get(asked);
    if (question) question.rows++;
    else
      this.#questions.set(asked, {
        key: asked,
        kind,
        text,
        rows: 1,
        answer: valid ? answer.answer : null,
        remembered: valid && answer.remembered,
      });
    return valid && answer.answer !== IGNORE_COLUMN ? answer.answer : null;
  }
}

const SIDES: ReadonlySet<string> = new Set(LOSS_SIDES);

/** Parses the time into a PostgreSQL `timestamp`; midnight for a date without a time, null for unreadable text. */
function momentOf(text: string): string | null {
  const moment = parseDateTime(text);
  if (moment) return `${moment.date} ${formatTime(moment.minutes)}:00`;
  const day = parseDay(text);
  return day === null ? null : `${day} 00:00:00`;
}
