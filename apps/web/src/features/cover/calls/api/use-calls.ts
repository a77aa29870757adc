import { useQuery } from '@tanstack/react-query';
import {
  appointmentsEndpoints,
  callsEndpoints,
  profilesEndpoints,
  type AnswerBody,
  type CallLine,
  type CallsReply,
  type ClaimBody,
  type LinePlanB,
  type LossBody,
  type SameLine,
} from '@clinic/contract';
import type { IsoDate, Location } from '@clinic/domain';
import { call, NotSignedInError, SaidError } from '../../../../shared/api/client.ts';
import { callCountQuery, untilRing } from '../../../../shared/api/call-count.ts';
import { onDay, queryOf } from '../../../../shared/api/query-of.ts';
import { failureWords } from '../../../../shared/api/failure-words.ts';
import { applyEvent } from '../../../../shared/api/live-events.ts';
import { causesQuery } from '../../../../shared/causes/use-causes.ts';
import { queryClient, queryKeys, showReply } from '../../../../shared/api/query-client.ts';
import { cancelledWords, partlyCancelledWords } from '../model.ts';

/** A location and a date, which together have one call list. */
export interface CallDay {
  readonly location: Location;
  readonly date: IsoDate;
}

export const useCalls = (location: Location, date: IsoDate | null) =>
  useQuery({
    ...queryOf(queryKeys.calls(location, date), callsEndpoints.list, onDay(location, date)),
    // Reloads each minute, because lines become urgent as time passes, and when a promise to ring again falls due.
    refetchInterval: ({ state: { data } }) => Math.min(60_000, untilRing(location, date, data) || 60_000),
  });

/**
 * Plan B for each line: who else could come. Loaded after the list, and again whenever a line that needs a yes changes.
 */
export function usePlansB({ location, date }: CallDay, lines: readonly CallLine[]): ReadonlyMap<string, LinePlanB> {
  const asked = lines.filter((line) => line.call === 'ask').map((line) => line.version);
  const { data } = useQuery({
    ...queryOf(
      queryKeys.plansB(location, date, asked.toSorted().join()),
      callsEndpoints.planB,
      asked.length > 0 ? { query: { location, date } } : null,
    ),
    placeholderData: (before) => before,
  });
  return new Map(data?.plans.map((plan) => [plan.version, plan]));
}

/**
 * The lines that say the same about later dates, by their version: one call settles them all. Loaded after the list, if
 * anything changed on later dates.
 */
export function useSame({ location, date }: CallDay, lines: readonly CallLine[]): ReadonlyMap<string, SameLine> {
  const { data: later = [] } = useLaterCalls(location, date);
  const { data } = useQuery(
    queryOf(
      [...queryKeys.calls(location, date), 'same'],
      callsEndpoints.same,
      lines.length > 0 && later.length > 0 ? { query: { location, date } } : null,
    ),
  );
  return new Map(data?.map((each) => [each.version, each]));
}

export const useDaySheet = (location: Location, date: IsoDate | null) =>
  useQuery(queryOf(queryKeys.daySheet(location, date), callsEndpoints.printedSheet, onDay(location, date)));

/** The number of people who must be told, for pages that only link to the call list. */
export const useCallCount = (location: Location, date: IsoDate | null) => useQuery(callCountQuery(location, date));

/** The dates after this one on which people must be told. Any change to the calendar reloads this list. */
export const useLaterCalls = (location: Location, date: IsoDate | null) =>
  useQuery(queryOf([...queryKeys.today(location, date), 'later-calls'], callsEndpoints.later, onDay(location, date)));

/** Shows the list that a write returns, and reloads the number of calls shown on other pages. */
async function keep({ location, date }: CallDay, write: Promise<CallsReply>): Promise<CallsReply> {
  const reply = await showReply(queryKeys.calls(location, date), write);
  void queryClient.invalidateQueries({ queryKey: queryKeys.callCount(location, date) });
  return reply;
}

export const loadAgain = ({ location, date }: CallDay): Promise<void> =>
  queryClient.invalidateQueries({ queryKey: queryKeys.calls(location, date) });

/** This person's line in the newest list on this page; undefined if they have none. */
export const newestLine = ({ location, date }: CallDay, { kind, id }: Pick<CallLine, 'kind' | 'id'>) =>
  queryClient
    .getQueryData<CallsReply>(queryKeys.calls(location, date))
    ?.lines.find((line) => line.kind === kind && line.id === id);

export async function sendAnswer(body: AnswerBody): Promise<CallsReply> {
  const reply = await keep(body, call(callsEndpoints.answer, { body }));
  const dates = (body.also ?? []).map(({ date }) => date);
  if (dates.length > 0) {
    applyEvent({ kind: 'calls', location: body.location, dates });
    void queryClient.invalidateQueries({ queryKey: queryKeys.today(body.location, body.date) });
  }
  return reply;
}

export const sendClaim = (body: ClaimBody): Promise<CallsReply> => keep(body, call(callsEndpoints.claim, { body }));

export const takeBackNo = async (body: CallDay & { id: string }): Promise<CallsReply> => {
  const reply = await keep(body, call(callsEndpoints.takeBackNo, { body: { ...body, take_back: true } }));
  applyEvent({ kind: 'absences', location: body.location, dates: [body.date] });
  return reply;
};

/** Adds a restriction to the client's profile: never this therapist. */
export async function keepRestriction(client: string, therapist: string): Promise<void> {
  const params = { id: client };
  const { contacts: _stay, ...profile } = await call(profilesEndpoints.getClient, { params });
  const restriction = { type: 'therapist' as const, restriction: therapist };
  const known = profile.restrictions.some((r) => r.type === 'therapist' && r.restriction === therapist);
  if (known) return;
  const body = { ...profile, restrictions: [...profile.restrictions, restriction] };
  await call(profilesEndpoints.updateClient, { params, query: {}, body });
}

export const sendRelease = (body: CallDay): Promise<CallsReply> => keep(body, call(callsEndpoints.release, { body }));

export async function sendDaySheet(body: CallDay): Promise<CallsReply> {
  const reply = await keep(body, call(callsEndpoints.daySheet, { body }));
  void queryClient.invalidateQueries({ queryKey: queryKeys.daySheet(body.location, body.date) });
  return reply;
}

/**
 * The cause recorded when the call list cancels a session: the family's wish, or that the clinic has no therapist for
 * the session.
 */
async function lossOf({ has_therapist }: CallLine['sessions'][number]): Promise<LossBody> {
  const causes = await queryClient.ensureQueryData(causesQuery);
  const cause = has_therapist ? 'family-reason' : 'no-therapist';
  // An administrator may have deleted the cause. The party that cancelled (family or clinic) is recorded anyway.
  const known = causes.some(({ id }) => id === cause);
  return { cause: known ? cause : null, lost_by: has_therapist ? 'family' : 'clinic' };
}

/**
 * Cancels sessions because the family would rather not come, or because they have no therapist. If there is nothing else
 * to tell the family, also marks them as told.
 */
export async function cancelForFamily(
  day: CallDay,
  line: CallLine,
  sessions: readonly CallLine['sessions'][number][],
): Promise<CallsReply> {
  const { kind, id } = line;
  let cancelled = 0;
  try {
    for (const session of sessions) {
      const reason = session.has_therapist ? 'The family would rather cancel' : 'No therapist';
      const body = { version: session.version, family_told: true, reason, loss: await lossOf(session) };
      await call(appointmentsEndpoints.cancel, { params: { key: session.key }, body });
      cancelled++;
    }
  } catch (error) {
    if (cancelled === 0 || error instanceof NotSignedInError) throw error;
    const why = failureWords(error, 'the list');
    throw new SaidError(partlyCancelledWords(sessions.slice(0, cancelled), sessions.slice(cancelled), why), {
      cause: error,
    });
  } finally {
    if (cancelled > 0) applyEvent({ kind: 'appointments', location: day.location, dates: [day.date] });
  }
  try {
    const after = await keep(day, call(callsEndpoints.list, { query: day }));
    const left = after.lines.find((each) => each.kind === kind && each.id === id);
    if (!left || left.say.length > line.say.length || left.sessions.length > 0) return after;
    // The line counts as shown only as it was before the cancellation: the list has been loaded again since.
    const shown = { version: left.version, last_shown: line.newest_result };
    return await sendAnswer({ ...day, kind, id, ...shown, answer: 'told', note: 'would rather cancel' });
  } catch (error) {
    if (error instanceof NotSignedInError) throw error;
    throw new SaidError(cancelledWords(sessions, failureWords(error, 'the list')), { cause: error });
  }
}
