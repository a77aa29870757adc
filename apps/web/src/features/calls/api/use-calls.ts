import { useQuery } from '@tanstack/react-query';
import {
  appointmentsEndpoints,
  callsEndpoints,
  type AnswerBody,
  type CallLine,
  type CallsReply,
  type ClaimBody,
} from '@clinic/contract';
import type { IsoDate, Location } from '@clinic/domain';
import { call } from '../../../shared/api/client.ts';
import { applyEvent } from '../../../shared/api/live-events.ts';
import { queryClient, queryKeys } from '../../../shared/api/query-client.ts';

/** A location's date. */
export interface CallDay {
  readonly location: Location;
  readonly date: IsoDate;
}

export const useCalls = (location: Location, date: IsoDate | null) =>
  useQuery({
    queryKey: queryKeys.calls(location, date ?? ''),
    queryFn: ({ signal }) => call(callsEndpoints.list, { query: { location, date: date ?? '' }, signal }),
    enabled: date !== null,
    // Lines turn urgent as time passes.
    refetchInterval: 60_000,
  });

/** How many people must be told, for pages that only link to the list. */
export const useCallCount = (location: Location, date: IsoDate | null) =>
  useQuery({
    queryKey: queryKeys.callCount(location, date ?? ''),
    queryFn: ({ signal }) => call(callsEndpoints.count, { query: { location, date: date ?? '' }, signal }),
    enabled: date !== null,
  });

/** Shows at once the list that a write returned, and lets other parts of the page count again. */
function keep(reply: CallsReply): CallsReply {
  queryClient.setQueryData(queryKeys.calls(reply.location, reply.date), reply);
  void queryClient.invalidateQueries({ queryKey: queryKeys.callCount(reply.location, reply.date) });
  return reply;
}

export const loadAgain = ({ location, date }: CallDay): Promise<void> =>
  queryClient.invalidateQueries({ queryKey: queryKeys.calls(location, date) });

export const sendAnswer = async (body: AnswerBody): Promise<CallsReply> =>
  keep(await call(callsEndpoints.answer, { body }));

export const sendClaim = async (body: ClaimBody): Promise<CallsReply> =>
  keep(await call(callsEndpoints.claim, { body }));

export const sendDaySheet = async (body: CallDay): Promise<CallsReply> =>
  keep(await call(callsEndpoints.daySheet, { body }));

/**
 * The family would rather cancel: cancels this session of theirs, and marks the family as told if there is nothing else
 * left to tell them.
 */
export async function cancelForFamily(
  day: CallDay,
  line: CallLine,
  session: CallLine['sessions'][number],
): Promise<CallsReply> {
  const { kind, id } = line;
  const body = { version: session.version, family_told: true, reason: 'The family would rather cancel' };
  await call(appointmentsEndpoints.cancel, { params: { key: session.key }, body });
  applyEvent({ kind: 'appointments', location: day.location, dates: [day.date] });
  const after = keep(await call(callsEndpoints.list, { query: day }));
  const left = after.lines.find((each) => each.kind === kind && each.id === id);
  if (!left || left.say.length > line.say.length || left.sessions.length > 0) return after;
  return sendAnswer({ ...day, kind, id, version: left.version, answer: 'told', note: 'would rather cancel' });
}
