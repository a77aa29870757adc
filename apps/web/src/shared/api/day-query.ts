import type { IsoDate, Location } from '@clinic/domain';

interface DayRequest {
  readonly query: { readonly location: Location; readonly date: string };
  readonly signal: AbortSignal;
}

/** A query about one day of a location. It loads nothing while the date is null. */
export const dayQuery =
  <Reply>(
    key: (location: Location, date: string) => readonly string[],
    load: (request: DayRequest) => Promise<Reply>,
  ) =>
  (location: Location, date: IsoDate | null) => ({
    queryKey: key(location, date ?? ''),
    queryFn: ({ signal }: { signal: AbortSignal }) => load({ query: { location, date: date ?? '' }, signal }),
    enabled: date !== null,
  });
