import { skipToken, type QueryKey, type SkipToken } from '@tanstack/react-query';
import type { Endpoint, ReplyOf } from '@clinic/contract';
import type { IsoDate, Location } from '@clinic/domain';
import { call, type CallInput } from './client.ts';

/** What to load, and under which key it is kept. */
export interface Query<T> {
  readonly queryKey: QueryKey;
  readonly queryFn: SkipToken | ((context: { signal: AbortSignal }) => Promise<T>);
}

/** A query for what an endpoint returns. It loads nothing while the input is null. */
export const queryOf = <E extends Endpoint>(
  queryKey: QueryKey,
  endpoint: E,
  input: CallInput<E> | null,
): Query<ReplyOf<E>> => ({
  queryKey,
  queryFn: input === null ? skipToken : ({ signal }) => call(endpoint, { ...input, signal }),
});

/** The input of a query about one day of a location; null while the date is not known. */
export const onDay = (location: Location, date: IsoDate | null) => date && { query: { location, date } };
