import { IGNORE_COLUMN, parseStatus, type WireStatus } from '@clinic/contract';
import { LOSS_SIDES } from '@clinic/domain';
import { parseExportedStatus, quote, tidy } from '../rows/fields.ts';
import type { Fault, SourceTable, StatusMeaning } from '../import-types.ts';
import type { StoredCause } from './loss-columns.ts';
import { keyOfWords, type UnknownWords } from './words.ts';

/** The answers that name one of our statuses, with their labels on the import page. */
const STATUS_LABELS: readonly (readonly [WireStatus, string])[] = [
  ['Completed', 'Took place'],
  ['Confirmed', 'Booked'],
  ['Scheduled', 'Booked, not confirmed yet'],
  ['Cancelled', 'Cancelled'],
  ['No Show', 'No-show'],
  ['deleted', 'Deleted (kept, not shown)'],
];
/** What other answers begin with; the side or the cause's id follows. */
const CANCELLED_BY = 'cancelled by ';
const CANCELLED_FOR = 'cancelled for ';

/** The answers to what an unknown status means, with their labels. */
export function statusChoices(causes: readonly StoredCause[]): { id: string; label: string }[] {
  const ways = [
    ...LOSS_SIDES.map((side) => ({ id: `${CANCELLED_BY}${side}`, label: `Cancelled by the ${side}` })),
    ...causes.flatMap(({ id, label, retired }) =>
      retired ? [] : [{ id: `${CANCELLED_FOR}${id}`, label: `Cancelled: ${label}` }],
    ),
  ];
  return [
    ...STATUS_LABELS.flatMap(([id, label]) => [{ id, label }, ...(id === 'Cancelled' ? ways : [])]),
    { id: IGNORE_COLUMN, label: 'Leave these rows out' },
  ];
}

/** What one of the `statusChoices` means; null if it leaves the rows out. */
function meaningOf(answer: string): StatusMeaning | null {
  const status = parseStatus(answer);
  if (status) return { status, cause: null, lostBy: null };
  const lostBy = LOSS_SIDES.find((side) => answer === `${CANCELLED_BY}${side}`) ?? null;
  const cause = answer.startsWith(CANCELLED_FOR) ? answer.slice(CANCELLED_FOR.length) : null;
  return lostBy === null && cause === null ? null : { status: 'cancelled', cause, lostBy };
}

/** Reads the words after `Cancelled`: `Cancelled by Provider - Sick` is by `Provider`, and says `Sick` besides. */
function saidIn(given: string): Pick<StatusMeaning, 'said'> {
  const spaced = tidy(given)
    .replaceAll('_', ' ')
    .replace(/([a-z])(?=[A-Z])/g, '$1 '); // as in `CancelledByClient`
  const rest = /^cancell?ed\b[\s:;,.()/–—-]*(.*)$/i.exec(spaced)?.[1] ?? '';
  const parts = rest.split(/\s*[:;,()/–—]+\s*|\s+-+\s*|-+\s+|\s+(?=(?:by|due to|because of|for)\s)/i);
  const by = parts.flatMap((part) => /^by (.+)$/i.exec(part)?.[1] ?? [])[0] ?? null;
  const others = parts
    .filter((part) => !/^by /i.test(part))
    .map((part) => part.replace(/^(?:due to|because of|for) /i, ''));
  // `Cancelled late` is about the notice; only a child who came late has the cause of that name.
  const words = others.filter((part) => !['', 'late'].includes(keyOfWords(part)));
  return by === null && words.length === 0 ? {} : { said: { by, words } };
}

/** Finds what the statuses in an export mean. */
export class StatusTexts {
  readonly #choices: ReadonlySet<string>;
  readonly #words: UnknownWords;

  constructor(causes: readonly StoredCause[], words: UnknownWords) {
    this.#choices = new Set(statusChoices(causes).map(({ id }) => id));
    this.#words = words;
  }

  /** Asks which status all rows of a file without statuses have. Until there is an answer, they are refused. */
  ofFile(table: Pick<SourceTable, 'file' | 'rows'>): StatusMeaning | Fault {
    const answer = this.#words.askOfFile('status', 'appointments', table, this.#choices);
    const refused = {
      reason: 'missing value',
      text: 'the file has no statuses, and the import page asks about them',
    } as const;
    return (answer === null ? null : meaningOf(answer)) ?? refused;
  }

  /** Reads a row's status. An unknown one is a question, and until it is answered the row is refused. */
  read(given: string): StatusMeaning | Fault {
    const known = parseExportedStatus(given);
    if (known) return { status: known, cause: null, lostBy: null, ...(known === 'cancelled' ? saidIn(given) : {}) };
    if (tidy(given) === '') return { reason: 'missing value', text: 'Appointment_Status is empty' };
    const answer = this.#words.ask('status', given, this.#choices);
    const refused = (why: string): Fault => ({ reason: 'unknown status', text: `the status ${quote(given)} ${why}` });
    if (answer === null) return refused('is unknown; the import page asks what it means');
    return meaningOf(answer) ?? refused('is left out, as answered on the import page');
  }
}

const YES = /^(?:y|yes|t|true|1|x|on|✓|✔|cancell?ed|deleted|void(?:ed)?|removed|archived)$/i;
const NO = /^(?:|n|no|f|false|0|off|active|not (?:cancell?ed|deleted))$/i;

/** What a row's status means together with its columns that mark a session as cancelled or deleted. */
export function withMarks(cell: (name: string) => string, meant: StatusMeaning | Fault): StatusMeaning | Fault {
  const marks = (['Deleted', 'Cancelled'] as const).map((name) => ({ name, text: tidy(cell(name)) }));
  const unread = marks.find(({ text }) => !YES.test(text) && !NO.test(text));
  if (unread) return { reason: 'bad value', text: `${unread.name} is ${quote(unread.text)}; it must be yes or no` };
  if ('reason' in meant) return meant;
  const [deleted, cancelled] = marks.map(({ text }) => YES.test(text));
  if (deleted) return { ...meant, status: 'entered-in-error' };
  if (!cancelled || LOST_ALREADY.has(meant.status)) return meant;
  return meant.status === 'fulfilled'
    ? { reason: 'bad value', text: 'Cancelled says yes, and its status says that it took place' }
    : { ...meant, status: 'cancelled' };
}

const LOST_ALREADY: ReadonlySet<StatusMeaning['status']> = new Set(['cancelled', 'noshow', 'entered-in-error']);
