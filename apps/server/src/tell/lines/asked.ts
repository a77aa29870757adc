import {
  changesToTell,
  isAskedFor,
  overlaps,
  timeAtWork,
  withoutStretches,
  type CallKind,
  type Interval,
  type NetChange,
  type ToldStretch,
} from '@clinic/domain';
import type { ClinicDay, ExtraHours } from '../../day/facts/day.ts';
import type { CallData, CallPerson } from './line.ts';

/** What a person was told and may have heard, and what is so now. */
interface Day {
  readonly known: readonly ToldStretch[];
  readonly believedDay: readonly ToldStretch[];
  readonly told: readonly ToldStretch[];
  readonly now: readonly ToldStretch[];
  readonly changes: readonly NetChange[];
  readonly elsewhere: readonly ToldStretch[];
  readonly released: readonly Interval[];
}

/** What a person is asked for, and what they were asked for and have not agreed to, which they are not at work for. */
export function askingOf(
  data: CallData,
  person: CallPerson,
  { known, believedDay, told, now, changes, elsewhere, released }: Day,
) {
  const atWorkIn = (theirs: readonly ToldStretch[]) => timeAtWork([...theirs, ...elsewhere], released);
  // Whoever heard a question has not agreed to it.
  const unagreed = questionsOf(data, person, changesToTell(known, believedDay, [], 0), {
    told: known,
    now: [...believedDay, ...elsewhere],
    atWork: atWorkIn(known),
    extra: [],
  });
  const atWork = atWorkIn(withoutStretches(told, unagreed));
  const extra = person.kind === 'client' ? [] : extraOf(data.day, person.id, changes);
  const questions = questionsOf(data, person, changes, { told, now: [...now, ...elsewhere], atWork, extra });
  const call: CallKind = person.kind === 'client' ? 'family' : questions.length > 0 ? 'ask' : 'inform';
  const asked = withReplaced(questions, changes);
  const wasAsked = (change: NetChange): boolean =>
    change.what === 'gone' && unagreed.some((each) => isSame(each, change) && overlaps(each, change));
  return {
    agreed: withoutStretches(believedDay, unagreed),
    atWork,
    extra,
    call,
    asked,
    wasAsked,
    withdrawn: changes.filter((c) => wasAsked(c) && !asked.includes(c)),
  };
}

/**
 * Returns the extra hours, within the therapist's new time, that the therapist was asked to work but has not agreed to.
 */
const extraOf = (day: ClinicDay, id: string, changes: readonly NetChange[]): ExtraHours[] =>
  day.extra.filter(
    (each) =>
      each.therapistId === id &&
      each.state === 'asked' &&
      changes.some((change) => change.what === 'new' && overlaps(change, each)),
  );

/** A therapist's day, by which it is decided what they are asked for. */
interface Asking {
  readonly told: readonly ToldStretch[];
  /** The day as it is now, at every location. */
  readonly now: readonly ToldStretch[];
  readonly atWork: readonly Interval[];
  /** The extra hours that they are asked to work. */
  readonly extra: readonly ExtraHours[];
}

/**
 * The new sessions that a therapist is asked for, not only told of: those outside their time at work or their
 * availability, those instead of administrative time, and the supervision of a client whom they have not met. Empty for a
 * family.
 */
const questionsOf = (
  { unmet }: Pick<CallData, 'unmet'>,
  { kind, id }: Pick<CallPerson, 'kind' | 'id'>,
  changes: readonly NetChange[],
  { told, now, atWork, extra }: Asking,
): NetChange[] =>
  kind === 'client'
    ? []
    : changes.filter(
        (c) =>
          isAskedFor(c, told, now, atWork) ||
          (c.what === 'new' && (isUnmet(unmet, id, c) || extra.some((time) => overlaps(time, c)))),
      );

/** Whether a therapist would supervise a client whom they have not met. */
export const isUnmet = (
  unmet: CallData['unmet'],
  therapistId: string,
  { service, with: clientId }: ToldStretch,
): boolean => service === 'supervision' && clientId !== null && unmet.has(`${therapistId} ${clientId}`);

/** The questions, and what the therapist would no longer have after a yes. */
const withReplaced = (questions: readonly NetChange[], changes: readonly NetChange[]): NetChange[] =>
  changes.filter(
    (c) =>
      questions.includes(c) || (c.what === 'gone' && questions.some((each) => overlaps(each, c) || isSame(each, c))),
  );

const isSame = (a: ToldStretch, b: ToldStretch): boolean => a.with === b.with && a.service === b.service;
