import { createHash } from 'node:crypto';
import {
  affectedBy,
  changesToTell,
  ENGLISH,
  freeTime,
  hangingChanges,
  inCallOrder,
  isUrgent,
  MINUTES_A_DAY,
  nextRing,
  overlaps,
  sayDay,
  sayFree,
  sayToFamily,
  sayToTherapist,
  spokenNames,
  withoutTakenAdmin,
  type CoverNeed,
  type FreeTime,
  type IsoDate,
  type NetChange,
  type ToldStretch,
} from '@clinic/domain';
import { personKey } from '../memory/call-day.ts';
import { ownWindows } from './own-word.ts';
import { isOver, type WallPresent } from '../../day/facts/present.ts';
import { knowledge, KNOWS_NOTHING, owed } from '../memory/knows.ts';
import { dayToKnow, daysAtOpening, daysBooked } from '../memory/told-people.ts';
import { awayWindows, uncoveredOf } from '../../day/facts/uncovered.ts';
import { isUnmet } from './asked.ts';
import { draftOf, type Board, type Draft } from './drafts.ts';
import { absencesOf, type CallData, type CallList, type Line, type Present, type Told } from './line.ts';
import { saidNo } from './messages.ts';
import { ownVersion, waitsOf } from './waits.ts';

/** Makes a day's call list: for each person, compares what they were last told with the current calendar. */
export function callList(data: CallData): CallList {
  const { day, people, answers, heard } = data;
  const absences = absencesOf(data);
  const away = awayWindows({ absences });
  const board: Board = {
    data,
    booked: daysBooked(day, away),
    opening: daysAtOpening(day, data.before),
    away,
    own: ownWindows(absences, day.appointments),
    spoken: spokenNames(people.filter((p) => p.kind === 'therapist')),
    shown: new Map(people.map((p) => [p.id, p.displayName])),
  };
  const known = knowledge(answers, heard);
  const drafts: Draft[] = [];
  const told: Told[] = [];
  const rings: number[] = [];
  for (const person of people) {
    const key = personKey(person.kind, person.id);
    const last = known.get(key) ?? KNOWS_NOTHING;
    const draft = draftOf(board, person, key, last);
    const now = dayToKnow(board.booked.get(key) ?? [], last.told?.day ?? []);
    const ring = nextRing(owed(last), now, data.present.clock);
    if (ring !== null) rings.push(ring);
    if (draft) drafts.push(draft);
    else if (last.told?.answer === 'told')
      told.push({ person: key, kind: person.kind, id: person.id, name: person.displayName, told: last.told });
  }
  return {
    lines: linesOf(board, drafts),
    told: told.sort((a, b) => (a.told.at < b.told.at ? 1 : -1)),
    nextRing: rings.length === 0 ? null : Math.min(...rings),
  };
}

/** Words the drafts, puts them in order, and finds who waits for whose yes. */
function linesOf(board: Board, drafts: readonly Draft[]): Line[] {
  const worded = new Map(drafts.map((draft) => [draft, wordedOf(board, draft, needsOf(board, drafts, draft))]));
  const hanging = hangingChanges(drafts);
  const asksOf = (draft: Draft): readonly Draft[] => (hanging.get(draft) ?? []).flatMap(({ asks }) => asks);
  const calls = drafts.map((draft) => ({ ...draft, draft, urgent: worded.get(draft)?.urgent ?? false }));
  const placed = inCallOrder(calls, ({ draft }) => calls.filter((each) => asksOf(draft).includes(each.draft)));
  return placed.flatMap(({ line: { draft }, after, urgent }): Line[] => {
    const words = worded.get(draft);
    if (!words) return [];
    const waits = (hanging.get(draft) ?? []).filter(({ asks }) => after.some((ask) => asks.includes(ask.draft)));
    const unsettled = waits.map(({ change }) => change);
    const asked = after.map(({ id, name }) => ({ id, name, spoken: board.spoken.get(id) ?? name }));
    // After a no, the line waits for another plan, even if what hangs on it is urgent.
    const isUrgentNow = urgent && !saidNo({ since: draft.since, version: words.version });
    const line = { ...draft, ...words, urgent: isUrgentNow, after: asked, ...waitsOf(board, draft, unsettled) };
    return [{ ...line, seenAt: draft.seen?.version === ownVersion(line) ? draft.seen.at : null }];
  });
}

/**
 * What a therapist with free time could take: the sessions without a therapist, and those that someone else is asked for,
 * as far as the engine's rules let them serve the client.
 */
function needsOf({ data, away }: Board, drafts: readonly Draft[], { kind, id, changes, wasAsked }: Draft): CoverNeed[] {
  if (kind === 'client' || !changes.some((c) => c.what === 'gone' && !wasAsked(c))) return [];
  const { day, present, serves } = data;
  const gaps = day.appointments
    .filter((a) => a.location === day.location)
    .flatMap((row) => uncoveredOf(row, away, present.minutes).map((window) => ({ row, window, asked: false })));
  const asked = drafts
    .filter((each) => each.call === 'ask' && each.id !== id)
    .flatMap(({ sessions }) =>
      sessions.flatMap((row) => (row.parts ?? [row]).map((window) => ({ row, window, asked: true }))),
    );
  return [...gaps, ...asked]
    .filter(({ row, window }) => serves(id, row, window))
    .map(({ window: { start, end }, asked }) => ({ start, end, asked }));
}

type Words = Pick<Line, 'version' | 'urgent' | 'say' | 'sayIn' | 'sayOf' | 'again' | 'free'>;

function wordedOf(board: Board, draft: Draft, needs: readonly CoverNeed[]): Words {
  const { kind, id, changes, now, extra, promised, since, open, nameOf } = draft;
  const { own, elsewhere, atWork, earlier, wasAsked, isByVideo } = draft;
  const { present } = board.data;
  const away = board.away.get(id) ?? [];
  const freeOf = (some: readonly NetChange[], clock: number | null): FreeTime[] =>
    kind === 'client'
      ? []
      : freeTime({ changes: some.filter((c) => !wasAsked(c)), day: [...now, ...elsewhere], away, needs, clock });
  const free = freeOf(changes, present.clock);
  const all = changesToTell(own.told, now, board.own.get(id) ?? [], 0);
  const near = freeOf(all, null).filter(({ how }) => how === 'near');
  const version = versionOf(own.told, now, all, { extra, promised, near });
  const sayOf: Line['sayOf'] = (some, then, language) => {
    const names = (id: string): string => nameOf(id, language);
    const changed = { ...own, language, nameOf: names, changes: some, now: then, clock: present.clock };
    return kind === 'client'
      ? sayToFamily({ ...changed, open, child: draft.firstName })
      : sayToTherapist({
          ...changed,
          extra,
          elsewhere,
          atWork,
          away,
          needs,
          isCancelled: (change) =>
            !(board.booked.get(personKey('client', change.with ?? '')) ?? []).some((s) => overlaps(s, change)),
          isUnmet: (change) => isUnmet(board.data.unmet, id, change),
          isByVideo,
          wasAsked,
        });
  };
  const sayIn: Line['sayIn'] = (language) => [...draft.opening(language), ...sayOf(changes, now, language)];
  return {
    version,
    urgent: !saidNo({ since, version }) && (promised !== null || isUrgent(draft.first, present.minutes)),
    say: sayIn(ENGLISH),
    sayIn,
    sayOf,
    again: earlier && againOf(draft, earlier, { free, nameOf, isToday: own.date === own.today }),
    free,
  };
}

/** What a person was told and what is so now, in words. */
function againOf(
  { kind, call, now, elsewhere, wasAsked }: Draft,
  { from, was, changes }: NonNullable<Draft['earlier']>,
  { free, nameOf, isToday }: { free: readonly FreeTime[]; nameOf: Line['nameOf']; isToday: boolean },
): Line['again'] {
  const both = affectedBy(changes, withoutTakenAdmin(was), withoutTakenAdmin(now, elsewhere));
  const words = (part: readonly ToldStretch[], said: readonly FreeTime[], day: readonly ToldStretch[]): string => {
    const sessions = sayDay(part, nameOf);
    if (sessions !== '') return sessions;
    return kind === 'client' ? 'no session' : sayFree(said, changes, day.length === 0, isToday);
  };
  const asked = (is: boolean, day: readonly ToldStretch[]): string => (is && day.length > 0 ? 'asked for ' : '');
  return {
    was: `${asked(changes.some(wasAsked), both.told)}${words(both.told, 'free' in from ? from.free : [], was)}`,
    now: `${asked(call === 'ask', both.now)}${words(both.now, free, now)}`,
    from,
  };
}

/** Makes a hash that changes whenever the words for the person change. */
function versionOf(
  told: readonly ToldStretch[],
  now: readonly ToldStretch[],
  changes: readonly NetChange[],
  { extra, promised, near }: Pick<Line, 'extra' | 'promised'> & { readonly near: readonly FreeTime[] },
): string {
  const ring = promised === null ? [] : [`ring ${promised}`];
  return createHash('sha256')
    .update(JSON.stringify([told, now, changes, ...extra.map(({ id }) => id), ...ring, ...near]))
    .digest('hex')
    .slice(0, 16);
}

/** The current time for a date's calls. A past date has no calls. In a demo clinic, no date counts as past. */
export function presentOf(date: IsoDate, wall: WallPresent, cut: (date: string) => number | null): Present {
  const { date: today, minutes: clock } = wall;
  const minutes = cut(date);
  const from = isOver(date, wall, cut) ? MINUTES_A_DAY : (minutes ?? 0);
  return { today, minutes, from, clock: date === today ? clock : date < today ? MINUTES_A_DAY : null };
}
