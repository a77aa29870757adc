import { TEXTS, type AuditAction, type ProposalReply, type RefreshBody, type RefreshReply } from '@clinic/contract';
import { duration, shortList, type IsoDate, type Location } from '@clinic/domain';
import { loadClinicDay, type LoadOptions } from '../../day/clinic-day.ts';
import type { DayAbsence } from '../../day/facts/day.ts';
import type { PlannedDay } from '../problem/planned-day.ts';
import { cutOf, isOver, type WallOf } from '../../day/facts/present.ts';
import { inTransaction, onSnapshot } from '../../db/retry.ts';
import { together } from '../../db/snapshot.ts';
import { isReplaced, loadProposal, type StoredProposal } from '../problem/stored-proposal.ts';
import type { Db } from '../../db/connection.ts';
import { requireLocation } from '../../access/caller.ts';
import type { Act } from '../../access/act.ts';
import { auditBy } from '../../access/audit.ts';
import { refusal, Refusal } from '../../platform/refusal.ts';
import { presentProposal, presentRefresh, type BuiltProposal } from './proposals.presenter.ts';
import { advanceRevision, insertRevision, isCommitted, newProposalId, selectWeeks } from './proposals.queries.ts';
import { selectToldDays, type ToldDays } from '../problem/told-pins.ts';
import { withExtra } from '../problem/extra-hours.ts';
import { askedFor, findChosen, type Chosen } from './choices.ts';
import { heldBy, sessionWith } from './session-choices.ts';
import { checkSelections, conflictsOfPins, pinDay } from './pins.ts';
import type { Selection } from '../problem/selection.ts';
import { solveDays, type Asker, type Solve, type SolveDaysInput } from './solve-days.ts';

export interface ProposeInput {
  location: Location;
  /** The dates to solve, sorted and without repetitions. */
  dates: IsoDate[];
  /** The date that the page showed. */
  day: IsoDate;
  /** The absences as sent; stored with the proposal. */
  queries: unknown[];
  /** If false, everything is solved again, whatever people were told. */
  keepTold?: boolean;
  /** The therapist whom a coordinator chose for a session; `dates` then has only this session's date. */
  choose?: ChosenTherapist | undefined;
}

/** With `ask`, the therapist would be asked to stay late or to come early. */
interface ChosenTherapist {
  readonly key: string;
  readonly therapist: string;
  readonly ask?: boolean | undefined;
}

/**
 * Solves a location's dates with all stored absences and unassigned sessions, and stores the options. Reads in one
 * snapshot. Refuses with 503 when the solver is busy or fails.
 */
export async function propose(
  db: Db,
  solve: Solve,
  wallOf: WallOf,
  input: ProposeInput,
  act: Act,
): Promise<ProposalReply> {
  const { days, cut, over, told } = await readDays(db, input.location, input.dates, wallOf);
  const { keepTold = true, choose } = input;
  const id = newProposalId();
  const base = { proposal: id, revision: 1, asker: askerOf(act), days, cut, over, told, keepTold };
  const solved = await solveDays(solve, choose ? { ...base, ...pinChosen(choose) } : base);
  const conflicts = solved.refused.flatMap(({ planned, refused }) => conflictsOfPins(planned, refused));
  if (choose && conflicts.length > 0) throw new Refusal('pins-conflict', { conflicts });
  if (solved.refused.length > 0) throw new Refusal('solver-failed');
  const built = await build(db, { ...input, id, revision: 1, days: solved.days, more: solved.more });
  const reply = presentProposal(built);
  await inTransaction(db, async (trx) => {
    await store(trx, built, reply, [], act, 'proposal.made');
  });
  return reply;
}

/**
 * Returns the options that a date would have with these absences added. Nothing is stored, so they cannot be committed.
 */
export async function preview(
  db: Db,
  solve: Solve,
  wallOf: WallOf,
  { location, date, also }: { location: Location; date: IsoDate; also: readonly DayAbsence[] },
  act: Act,
): Promise<ProposalReply> {
  const { days, cut, over } = await readDays(db, location, [date], wallOf, () => (stored) => [...stored, ...also]);
  const id = newProposalId();
  const solved = await solveDays(solve, { proposal: id, revision: 1, asker: askerOf(act), days, cut, over });
  if (solved.refused.length > 0) throw new Refusal('solver-failed');
  const built = await build(db, { id, revision: 1, location, day: date, queries: [], days: solved.days });
  const clients = clientIdsOf(built.days);
  const entry = { action: 'proposal.previewed' as const, subjectKind: 'client', subjectIds: clients };
  await inTransaction(db, (trx) => auditBy(trx, act, { ...entry, location, detail: { date } }));
  return presentProposal(built);
}

/** Solves a proposal again; the options selected for clients are pinned unchanged. */
export async function refresh(
  db: Db,
  solve: Solve,
  wallOf: WallOf,
  body: RefreshBody,
  act: Act,
): Promise<RefreshReply> {
  const stored = await openProposal(db, body.metadata.proposal, body.metadata.revision, act);
  const selections = checkSelections(stored, body.output.possible_solutions, body.refreshSelections);
  const chosen = body.choose ?? null;
  const named = chosen && findChosen(stored.days[chosen.date], chosen);
  const input = await refreshInput(db, wallOf, { stored, selections, chosen }, act);
  const { revision } = input;
  const solved = await solveDays(solve, input);
  const conflicts = solved.refused.flatMap(({ planned, refused }) =>
    conflictsOfPins(planned, refused, { stored, selections: chosen ? [...selections, chosen] : selections }),
  );
  if (conflicts.length > 0) throw new Refusal('pins-conflict', { conflicts });
  const first = stored.dates[0] as IsoDate;
  const day =
    typeof body.metadata.day === 'string' && stored.dates.includes(body.metadata.day) ? body.metadata.day : first;
  const built = await build(db, { ...stored, day, revision, days: solved.days });
  const reply = presentRefresh(built, refreshMessage(built, keptAsChosen(selections, chosen, named?.name)));
  await inTransaction(db, async (trx) => {
    if (!(await advanceRevision(trx, stored.id, revision))) throw refusal('options-replaced');
    await store(trx, built, presentProposal(built), selections, act, 'proposal.refreshed');
  });
  return reply;
}

interface RefreshPins {
  readonly stored: StoredProposal;
  readonly selections: readonly Selection[];
  readonly chosen: Chosen | null;
}

/** Reads the days as they are now. The result also has the pins, and the therapists chosen in earlier revisions. */
async function refreshInput(
  db: Db,
  wallOf: WallOf,
  { stored, selections, chosen }: RefreshPins,
  act: Act,
): Promise<SolveDaysInput> {
  const read = await readDays(db, stored.location, stored.dates as IsoDate[], wallOf);
  const keepTold = Object.values(stored.days).every(({ planned }) => planned.told?.kept !== false);
  const pin = (planned: PlannedDay): PlannedDay => pinDay(stored, planned, selections, chosen);
  const unheld = Object.values(stored.days).flatMap(({ planned }) => planned.chosen ?? []);
  const extra = new Map(Object.entries(stored.days).map(([date, { planned }]) => [date, planned.extra ?? []]));
  const revision = stored.latest + 1;
  return { proposal: stored.id, revision, asker: askerOf(act), ...read, keepTold, extra, pin, chosen: unheld };
}

/** Loads any revision of any proposal. Refuses (422) an id or revision that this server never stored. */
export async function openForReading(db: Db, id: string, revision: number): Promise<StoredProposal> {
  const stored = await loadProposal(db, id, revision);
  if (stored) return stored;
  throw refusal('options-unknown');
}

/**
 * Loads the revision that a page names. It must be at a location that the account may use, not refreshed by another
 * account since, and not committed.
 */
async function openProposal(db: Db, id: string, revision: number, act: Act): Promise<StoredProposal> {
  const stored = await openForReading(db, id, revision);
  requireLocation(act.caller, stored.location);
  if (isReplaced(stored, act.caller.id)) throw refusal('options-replaced');
  if (await isCommitted(db, id)) throw new Refusal('already-committed');
  return stored;
}

/** Plans a session as if it had no therapist, and pins the chosen therapist to the whole session, except past time. */
function pinChosen({ key, therapist, ask }: ChosenTherapist): Pick<SolveDaysInput, 'chosen' | 'pin'> {
  const pin = (planned: PlannedDay): PlannedDay => {
    const session = sessionWith(planned, key);
    if (!session?.grid || session.parts.length === 0) throw refusal('nothing-to-choose');
    if (!Object.hasOwn(planned.names, therapist)) throw refusal('no-such-therapist');
    const others = planned.problem.pins?.filter((p) => p.session !== session.id) ?? [];
    const own = heldBy(therapist, session);
    const extra = ask === true ? own.flatMap((pin) => askedFor(planned, session, pin, therapist)) : [];
    return withExtra({ ...planned, problem: { ...planned.problem, pins: [...others, ...own] } }, extra);
  };
  return { chosen: [key], pin };
}

/** For each date, the absences to use instead of the stored ones. */
type Suppose = (date: IsoDate) => NonNullable<LoadOptions['suppose']>;

const askerOf = ({ caller, gone }: Act): Asker => ({ account: caller.id, gone });

async function readDays(db: Db, location: Location, dates: readonly IsoDate[], wallOf: WallOf, suppose?: Suppose) {
  return onSnapshot(db, async (trx) => {
    const wall = wallOf(location);
    const load = (date: IsoDate) =>
      loadClinicDay(trx, location, date, suppose ? { wall, suppose: suppose(date) } : { wall });
    const [cut, days, toldOn] = await together(
      cutOf(trx, wall),
      together(...dates.map(load)),
      together(...dates.map((date) => selectToldDays(trx, location, date))),
    );
    const over = (date: IsoDate): boolean => isOver(date, wall, cut);
    const told = new Map<string, ToldDays>(dates.map((date, i) => [date, toldOn[i] ?? new Map()]));
    return { days, cut, over, told };
  });
}

async function build(db: Db, of: Omit<BuiltProposal, 'week'>): Promise<BuiltProposal> {
  const dates = of.days.map((d) => d.stored.planned.date);
  const week = await onSnapshot(db, (trx) => selectWeeks(trx, clientIdsOf(of.days), dates));
  const { id, revision, location, day, queries, days, more = false } = of;
  return { id, revision, location, day, queries, days, more, week };
}

async function store(
  trx: Db,
  built: BuiltProposal,
  reply: ProposalReply,
  pins: readonly Selection[],
  act: Act,
  action: AuditAction,
): Promise<void> {
  const dates = built.days.map((d) => d.stored.planned.date);
  const revision = {
    proposal: built.id,
    revision: built.revision,
    queries: built.queries,
    pins,
    days: Object.fromEntries(built.days.map((d) => [d.stored.planned.date, d.stored])),
    data: reply.data,
    metadata: reply.metadata,
    reserve: reply.backed_up_therapists,
    accountId: act.caller.id,
  };
  await insertRevision(trx, revision, built.revision === 1 ? { location: built.location, dates } : undefined);
  await auditBy(trx, act, {
    action,
    subjectKind: 'proposal',
    subjectIds: [built.id],
    location: built.location,
    detail: { revision: built.revision, dates, clients: clientIdsOf(built.days), pins: pins.length },
  });
}

/** Returns the ids of the clients in the options, without repetitions. */
const clientIdsOf = (days: BuiltProposal['days']): string[] => [
  ...new Set(
    days.flatMap(({ stored }) => {
      const listed = new Set(stored.listed.flatMap((l) => l.sessions));
      return stored.planned.sessions.filter((s) => listed.has(s.id)).flatMap((s) => s.rows.map((r) => r.clientId));
    }),
  ),
];

/**
 * Says what the user chose to keep in a refresh: first the chosen therapist (`Lin Park for Bo Lee`), then the other
 * clients whose options stay.
 */
function keptAsChosen(selections: readonly Selection[], chosen: Chosen | null, name: string | undefined): string[] {
  const others = selections.map((s) => s.client).filter((client) => client !== chosen?.client);
  return [...(chosen && name !== undefined ? [`${name} for ${chosen.client}`] : []), ...new Set(others)];
}

function refreshMessage(built: BuiltProposal, kept: readonly string[]): string {
  const listed = built.days.reduce((n, d) => n + d.stored.listed.length, 0);
  if (listed === 0) return TEXTS.refreshEmpty;
  const open = built.days.reduce((n, d) => n + (d.figures['Option 1']?.minutes_uncovered ?? 0), 0);
  const rest = open === 0 ? 'Option 1 covers everything.' : `Option 1 leaves ${duration(open)} uncovered.`;
  if (kept.length === 0) return `These are new options for all sessions. ${rest}`;
  return `Kept as chosen: ${shortList(kept, 3)}. ${rest}`;
}
