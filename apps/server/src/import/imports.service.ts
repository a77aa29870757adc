import { setTimeout as delay } from 'node:timers/promises';
import { isTaken, MOST_QUESTIONS, type AskedWords, type ImportColumns, type WordsQuestion } from '@clinic/contract';
import { addDays, locationValues, type IsoDate } from '@clinic/domain';
import { codeOf } from '../start-error.ts';
import type { Db } from '../db/connection.ts';
import { wallNow } from '../platform/wall-clock.ts';
import { answersAbout, answersToRemember } from './columns/column-answers.ts';
import { noted, resolveAppointments, type Session } from './plan/appointment-plan.ts';
import { DATE_ORDERS } from './columns/date-order.ts';
import { inBatches } from './plan/batches.ts';
import { brokenOff } from './plan/broken-off.ts';
import { DatabaseStore, type Importer, type ImportStore } from './plan/import-store.ts';
import {
  IMPORT_KINDS,
  type Answers,
  type ColumnAnswers,
  type DatesQuestion,
  type Difference,
  type ImportFiles,
  type ImportKind,
  type Question,
  type RowOutcome,
  type Tables,
} from './import-types.ts';
import { NO_DETAILS } from './rows/details.ts';
import { locationChoices, withLocations } from './columns/location-texts.ts';
import { LossTexts, parseCauses } from './columns/loss-columns.ts';
import { StatusTexts, statusChoices } from './columns/status-texts.ts';
import { UnknownWords } from './columns/words.ts';
import { closedTimes, parseClosures, type ClosedTime } from './plan/closed.ts';
import { planDays, planEveryone, type DaysPlan, type PeoplePlan } from './plan/plan.ts';
import { readTables } from './read/read-table.ts';
import { refuseFullDates, refuseMissingColumns, refuseUnanswered } from './read/refuse-files.ts';
import { readOccurrences, withSeriesKeys } from './rows/series-keys.ts';
import { parseDetails, parsePeople, readDays } from './plan/snapshot.ts';
import { dayStatements, peopleStatements, statement, type Statement } from './plan/write-plan.ts';

export interface ImportOptions {
  /** If true, writes nothing and only reports what an import would do. */
  readonly dryRun: boolean;
  readonly adminClientName: string;
  /** The answers about names that match several people or none. */
  readonly answers?: Answers;
  /** Milliseconds since 1970. */
  readonly now: number;
}

export interface ImportResult {
  readonly dryRun: boolean;
  readonly files: readonly {
    readonly kind: ImportKind;
    readonly file: string;
    readonly rows: number;
    readonly header: readonly string[];
    /** The cells of each row, by its line. */
    readonly cells: ReadonlyMap<number, readonly string[]>;
  }[];
  /** An entry for each row of each file, in the file's order. */
  readonly outcomes: readonly RowOutcome[];
  /** Each file's columns, and the questions about them. */
  readonly columns: readonly ImportColumns[];
  /** The questions about unknown words, with the causes, statuses, locations or orders of dates to choose from. */
  readonly causes: AskedWords;
  readonly statuses: AskedWords;
  readonly locations: AskedWords;
  readonly dates: { readonly questions: DatesQuestion[]; readonly choices: AskedWords['choices'] };
  /** The questions about names, those with the most rows first. */
  readonly questions: readonly Question[];
  /** The sessions that lie in closed time, by the lines of their rows. */
  readonly closed: ReadonlyMap<number, ClosedTime>;
  /** The sessions that are different here, since they were changed here after an import. */
  readonly differences: readonly Difference[];
}

/**
 * How many rows one transaction writes. Other requests may have to wait for the transaction, which takes well under a
 * second.
 */
export const AT_ONCE = 1000;
/** How many times to plan again if data changed between reading and writing. */
const MOST_TRIES = 5;
/** How many times to try again while other requests keep the calendar locked; in total, for at least a minute. */
const MOST_TURNS = 60;
const BREATH_MS = 20;

/** Like `runImport`, but in this thread. For commands, which serve no requests in the meantime. */
export async function importFiles(
  db: Db,
  files: ImportFiles,
  options: ImportOptions & Importer,
): Promise<ImportResult> {
  const store = new DatabaseStore(db, options);
  try {
    return await runImport(store, files, options);
  } catch (error) {
    throw brokenOff(error, store);
  } finally {
    await store.close();
  }
}

/**
 * Imports exports of therapists, clients, appointments, authorizations and credentials. Every row has an outcome. Rows
 * imported earlier are found again by key and content, so running an import twice changes nothing. Records changed in
 * the product since then stay as they are. Up to `AT_ONCE` rows are written in one transaction, and more in several:
 * first people, then whole days (docs/decisions/0042-large-imports.md).
 */
export async function runImport(store: ImportStore, files: ImportFiles, options: ImportOptions): Promise<ImportResult> {
  const answers = await knownAnswers(store, options.answers ?? {});
  const tables = await readTables(files, answers);
  if (!options.dryRun) refuseMissingColumns(columnsOf(tables));
  const written = new Map<string, RowOutcome>();
  for (let left = MOST_TRIES; ; left--) {
    const plan = await planAll(store, tables, options, answers);
    if (!options.dryRun) refuseUnanswered(plan);
    try {
      if (!options.dryRun) await apply(store, plan, written);
      return resultOf(tables, plan, options.dryRun, written);
    } catch (error) {
      await store.rollback();
      if (left <= 1 || !CHANGED.has(codeOf(error) ?? '')) throw error;
    }
  }
}

async function knownAnswers(store: ImportStore, answers: Answers): Promise<ColumnAnswers> {
  await store.begin('nothing');
  const remembered = await store.read('columns', '');
  await store.commit();
  return answersAbout(remembered, answers);
}

const columnsOf = (tables: Tables): ImportColumns[] => IMPORT_KINDS.flatMap((kind) => tables[kind]?.columns ?? []);

/**
 * Database error codes that mean that a plan is outdated: a therapist left, a cause was deleted, or a serialization
 * failed.
 */
const CHANGED = new Set(['40001', '23P01', '23514', '23503']);
/** The error codes that appear when other requests hold the locks or all the write turns. */
const BUSY = new Set(['40P01', '55P03', 'busy']);

interface WholePlan extends Pick<
  ImportResult,
  'columns' | 'causes' | 'statuses' | 'locations' | 'dates' | 'outcomes' | 'questions' | 'closed'
> {
  readonly people: PeoplePlan;
  /** The people as read for this plan, as JSON text. If the text is different later, the plan is outdated. */
  readonly seen: string;
  readonly days: DaysPlan;
  readonly sessions: readonly Session[];
  /** The earlier dates of appointments that move to another date, by appointment id. */
  readonly movedFrom: ReadonlyMap<string, IsoDate>;
}

/** The date of the import, by the clock of the location where it is latest. */
const todayOf = ({ now }: ImportOptions): IsoDate =>
  locationValues()
    .map((location) => wallNow({ now: () => now }, location).date)
    .reduce((a, b) => (a > b ? a : b));

/** Makes the whole plan. A dry run reports this plan, and an import starts from it. */
async function planAll(
  store: ImportStore,
  given: Tables,
  options: ImportOptions,
  answers: ColumnAnswers,
): Promise<WholePlan> {
  const words = new UnknownWords(answers);
  const tables = withLocations(given, words);
  await store.begin('nothing');
  const seen = await store.read('people', '');
  const stored =
    tables.authorizations || tables.credentials ? parseDetails(await store.read('details', '')) : NO_DETAILS;
  const people = planEveryone(tables, parsePeople(seen), options.adminClientName, todayOf(options), answers, stored);
  const causes = parseCauses(await store.read('causes', ''));
  const losses = new LossTexts(causes, words);
  const statuses = new StatusTexts(causes, words);
  const { sessions: read, outcomes } = resolveAppointments(tables.appointments ?? null, {
    ...people.context,
    losses,
    statuses,
  });
  refuseFullDates(tables.appointments?.file ?? '', read);
  const sessions = withSeriesKeys(read, await readOccurrences(store, read));
  const snapshot = await readDays(store, sessions);
  const closures = parseClosures(await store.read('closures', ''));
  await store.commit();
  const days = planDays(sessions, snapshot, people.twoToOne);
  const asked = (...kinds: readonly WordsQuestion['kind'][]): WordsQuestion[] =>
    openFirst(words.questions.filter(({ kind }) => kinds.includes(kind)));
  const dateOf = new Map(snapshot.appointments.map((s) => [s.id, s.date]));
  return {
    people,
    seen,
    days,
    sessions,
    movedFrom: new Map(
      days.appointments.flatMap(({ id, record }) => {
        const date = dateOf.get(id);
        return date === undefined || date === record.date ? [] : [[id, date]];
      }),
    ),
    outcomes: [
      ...people.outcomes,
      ...[...outcomes, ...days.outcomes].sort((a, b) => a.line - b.line),
      ...people.details.outcomes,
    ],
    questions: openFirst([...people.context.clients.questions, ...people.context.therapists.questions]),
    columns: columnsOf(tables),
    closed: closedTimes(sessions, closures, todayOf(options)),
    statuses: { questions: asked('status'), choices: statusChoices(causes) },
    locations: { questions: asked('location'), choices: [...locationChoices()] },
    dates: { questions: IMPORT_KINDS.flatMap((kind) => tables[kind]?.dates ?? []), choices: [...DATE_ORDERS] },
    causes: {
      questions: asked('cause', 'side'),
      choices: causes.flatMap(({ id, label, retired }) => (retired ? [] : [{ id, label }])),
    },
  };
}

/** Like `withMostRows`, but the questions that an earlier import answered come last. */
const openFirst = <T extends { readonly rows: number; readonly remembered: boolean }>(questions: readonly T[]): T[] =>
  [false, true]
    .flatMap((known) => withMostRows(questions.filter(({ remembered }) => remembered === known)))
    .slice(0, MOST_QUESTIONS);

const withMostRows = <T extends { readonly rows: number }>(questions: readonly T[]): T[] =>
  questions.toSorted((a, b) => b.rows - a.rows).slice(0, MOST_QUESTIONS);

/** The part of the plan that one transaction writes. */
interface Step {
  readonly people: boolean;
  readonly sessions: readonly Session[];
}

async function apply(store: ImportStore, plan: WholePlan, written: Map<string, RowOutcome>): Promise<void> {
  const steps = stepsOf(plan);
  if (steps.length === 0) await inTurn(store, () => writeAnswers(store, plan));
  for (const [i, step] of steps.entries()) {
    const outcomes = await inTurn(store, () => writeStep(store, plan, step, i === 0));
    for (const each of outcomes) written.set(keyOf(each), each);
    // Lets requests that waited behind this transaction go before the next transaction.
    if (steps.length > 1) await delay(BREATH_MS);
  }
  if (plan.days.appointments.length > AT_ONCE) await store.settle();
}

/**
 * Divides the writing of an import into steps. If everything fits into one transaction, there is one step. Otherwise
 * people come first, and then the sessions, day by day.
 */
function stepsOf({ people, days, sessions, movedFrom }: WholePlan): Step[] {
  const ofPeople = peopleStatements(people).length > 0;
  const byLine = new Map(sessions.map((each) => [each.key, each]));
  const toWrite = days.appointments.flatMap(({ id, key }) => {
    const session = byLine.get(key);
    return session ? [{ session, from: movedFrom.get(id) ?? null }] : [];
  });
  const { authorizations, credentials } = people.details;
  const written = people.therapists.length + people.clients.length + authorizations.length + credentials.length;
  if (written + toWrite.length <= AT_ONCE)
    return ofPeople || toWrite.length > 0 ? [{ people: ofPeople, sessions: toWrite.map((w) => w.session) }] : [];
  const batches = inBatches(toWrite, AT_ONCE).map((batch) => ({ people: false, sessions: batch }));
  return [...(ofPeople ? [{ people: true, sessions: [] }] : []), ...batches];
}

/** Runs a transaction, and tries again while other requests have locked what it needs. */
async function inTurn<T>(store: ImportStore, work: () => Promise<T>): Promise<T> {
  for (let left = MOST_TURNS; ; left--) {
    try {
      return await work();
    } catch (error) {
      await store.rollback();
      if (left <= 1 || !BUSY.has(codeOf(error) ?? '')) throw error;
      await delay(BREATH_MS);
    }
  }
}

/**
 * Plans the step's sessions again, now that no other request can write, and writes them.
 * @returns the outcomes of the step's rows
 */
async function writeStep(store: ImportStore, plan: WholePlan, step: Step, first: boolean): Promise<RowOutcome[]> {
  await store.begin(step.people ? (step.sessions.length > 0 ? 'both' : 'people') : 'calendar');
  const outcomes: RowOutcome[] = [];
  if (step.people) {
    if ((await store.read('people', '')) !== plan.seen) throw changedMeanwhile();
    await writeAll(store, peopleStatements(plan.people));
    outcomes.push(...plan.people.outcomes);
  }
  if (step.sessions.length > 0) {
    const days = planDays(step.sessions, await readDays(store, step.sessions), plan.people.twoToOne);
    await writeAll(store, dayStatements(days));
    outcomes.push(...days.outcomes);
    await store.tell(spanOf(days.days.map((d) => d.date).sort()));
  } else await store.tell([]);
  if (first) {
    await writeAll(store, rememberStatements(plan));
    await store.record(figuresOf(plan));
  }
  const people = step.people ? plan.people.therapists.length + plan.people.clients.length : 0;
  await store.commit({ people, sessions: step.sessions.length });
  return outcomes;
}

/** Remembers the answers to questions of an import that writes no rows. */
async function writeAnswers(store: ImportStore, plan: WholePlan): Promise<void> {
  const statements = rememberStatements(plan);
  if (statements.length === 0) return;
  await store.begin('answers');
  await writeAll(store, statements);
  await store.record(figuresOf(plan));
  await store.commit();
}

const changedMeanwhile = (): Error =>
  Object.assign(new Error('people changed between reading and writing'), { code: '40001' });

async function writeAll(store: ImportStore, statements: readonly Statement[]): Promise<void> {
  for (const { name, rows } of statements) await store.write(name, rows);
}

function figuresOf({ people, days, outcomes }: WholePlan) {
  const dates = days.days.map((d) => d.date).sort();
  return {
    therapists: people.therapists.length,
    clients: people.clients.length,
    appointments: days.appointments.length,
    ...countsOf(people.details),
    refused: outcomes.filter((o) => o.outcome === 'refused').length,
    from: dates[0] ?? null,
    until: dates.at(-1) ?? null,
  };
}

function rememberStatements({ columns, causes, statuses, locations, dates, questions }: WholePlan): Statement[] {
  const words = [statuses, locations, causes].flatMap((each) => each.questions);
  return statement('rememberColumns', answersToRemember(columns, words, dates.questions, questions));
}

const countsOf = ({ authorizations, credentials }: PeoplePlan['details']): Record<string, number> => ({
  ...(authorizations.length > 0 ? { authorizations: authorizations.length } : {}),
  ...(credentials.length > 0 ? { credentials: credentials.length } : {}),
});

const keyOf = ({ kind, line }: Pick<RowOutcome, 'kind' | 'line'>): string => `${kind} ${line}`;

function resultOf(
  tables: Tables,
  plan: WholePlan,
  dryRun: boolean,
  written: ReadonlyMap<string, RowOutcome>,
): ImportResult {
  const hidden = new Set(
    IMPORT_KINDS.flatMap((kind) =>
      (tables[kind]?.rows ?? []).flatMap((row) => (row.hidden === true ? [keyOf({ kind, line: row.line })] : [])),
    ),
  );
  return {
    dryRun,
    files: IMPORT_KINDS.flatMap((kind) => {
      const table = tables[kind];
      if (!table) return [];
      const { file, header, rows } = table;
      return [{ kind, file, header, rows: rows.length, cells: new Map(rows.map((row) => [row.line, row.given])) }];
    }),
    outcomes: plan.outcomes.map((each) => {
      const outcome = written.get(keyOf(each)) ?? each;
      const isClosed = each.kind === 'appointments' && plan.closed.has(each.line);
      const more = [...(hidden.has(keyOf(each)) ? HIDDEN : []), ...(isClosed ? CLOSED : [])];
      if (!isTaken(outcome.outcome) || more.length === 0) return outcome;
      return { ...noted(outcome, more), notes: [...(outcome.notes ?? []), ...more] };
    }),
    columns: plan.columns.filter(({ questions, unsaid }) => questions.length + unsaid.length > 0),
    statuses: plan.statuses,
    locations: plan.locations,
    dates: plan.dates,
    causes: plan.causes,
    questions: plan.questions,
    closed: plan.closed,
    differences: plan.days.differences,
  };
}
const HIDDEN = ['hidden'] as const;
const CLOSED = ['closed'] as const;

/**
 * Returns the dates that changed, for open pages. If there are too many for an event, the list is empty, which means
 * any date.
 */
function spanOf(dates: readonly IsoDate[]): string[] {
  const [first] = dates;
  if (!first) return [];
  const unique = [...new Set(dates)];
  return unique.length <= 100 && (dates.at(-1) ?? first) <= addDays(first, 400) ? unique : [];
}
