/** Plans a warm handover for a choice: sessions before the leave that each child's new people join. Writes nothing. */
import type { WarmReply } from '@clinic/contract';
import type { WarmOption } from '@clinic/weeks-engine';
import { isoDate, listWords, parseTime, SLOT_MINUTES, type Location } from '@clinic/domain';
import type { Act } from '../../access/act.ts';
import { requireLocation } from '../../access/caller.ts';
import type { Db } from '../../db/connection.ts';
import { onSnapshot } from '../../db/retry.ts';
import type { WallOf } from '../../day/facts/present.ts';
import { selectNames } from '../../people/people.ts';
import type { Solver } from '../../plan/options/solver.ts';
import { refusal, Refusal } from '../../platform/refusal.ts';
import { takenBy, type Choice } from './choice.ts';
import { loadStored, type StoredStanding } from './stored-standing.ts';
import { loadWarm, sessionOf, warmProblem, type NewPair } from './warm-problem.ts';

const isWarm = (option: object): option is WarmOption => 'overlaps' in option;

/** The children of a choice and those who would be new to them. */
export function newPairs({ reply }: StoredStanding, choice: Choice): NewPair[] {
  const pairs = reply.children.flatMap(({ id, series }) => {
    const option = reply.options.find(({ name }) => name === choice[id]);
    const runs = series.flatMap((each) => option?.series[each.id]?.runs ?? []);
    const faces = new Set(
      runs.filter((run) => run.knows === 'new' && run.dates.length > 0).map((run) => run.therapist),
    );
    return [...faces].map((therapist) => ({ child: id, therapist }));
  });
  return pairs;
}

export async function planMeetings(
  db: Db,
  solver: Pick<Solver, 'solveWeeks'>,
  wallOf: WallOf,
  { proposal, choice, times }: { readonly proposal: string; readonly choice: Choice; readonly times: number },
  act: Act,
): Promise<{ location: Location; therapist: string; reply: WarmReply }> {
  const stored = await loadStored(db, proposal);
  if (!stored) throw refusal('options-unknown');
  const { location, therapist } = stored.reply;
  requireLocation(act.caller, location);
  const taken = takenBy(stored, choice);
  const pairs = newPairs(stored, choice);
  const loaded = await onSnapshot(db, (reads) => loadWarm(reads, wallOf(location), stored, pairs, taken));
  const childName = (id: string): string => stored.reply.children.find((each) => each.id === id)?.name ?? '';
  const therapistName = (id: string): string => stored.reply.people[id]?.name ?? '';
  const missing = (pair: NewPair, count: number) => ({
    child_name: childName(pair.child),
    therapist_name: therapistName(pair.therapist),
    times: count,
  });
  if (!loaded) {
    const unmet = pairs.map((pair) => missing(pair, times));
    return { location, therapist: therapist.id, reply: { meetings: [], minutes: 0, unmet, proven: true } };
  }
  const answer = await solver.solveWeeks(
    warmProblem(loaded, pairs, times),
    { account: act.caller.id, gone: act.gone },
    1,
  );
  const option = answer.options.find(isWarm);
  if (answer.refused || !option) throw new Refusal('solver-failed');
  const names = await selectNames(db, [
    ...new Set(loaded.sessions.flatMap(({ rows }) => rows.flatMap((row) => row.therapistId ?? []))),
  ]);
  const meetings = option.overlaps
    .map(({ client, therapist: who, date, start, end }) => {
      const join = { child: client, therapist: who, date, start: parseTime(start) ?? 0, end: parseTime(end) ?? 0 };
      const rows = sessionOf(loaded, { ...join, date: isoDate(date) })?.rows ?? [];
      const holders = [...new Set(rows.map((row) => names.get(row.therapistId ?? '') ?? ''))];
      return { ...join, child_name: childName(client), therapist_name: therapistName(who), with: listWords(holders) };
    })
    .sort((a, b) => (a.date === b.date ? a.start - b.start : a.date < b.date ? -1 : 1));
  const met = (pair: NewPair): number =>
    meetings.filter((each) => each.child === pair.child && each.therapist === pair.therapist).length;
  const unmet = pairs.filter((pair) => met(pair) < times).map((pair) => missing(pair, times - met(pair)));
  const minutes = option.unpaid * SLOT_MINUTES;
  return { location, therapist: therapist.id, reply: { meetings, minutes, unmet, proven: option.proven } };
}
