import { useQuery } from '@tanstack/react-query';
import { closuresEndpoints, type BodyOf, type Holiday, type Reopened } from '@clinic/contract';
import type { IsoDate, Location } from '@clinic/domain';
import { call } from '../../shared/api/client.ts';
import { queryOf } from '../../shared/api/query-of.ts';
import { reload } from '../../shared/api/query-client.ts';

export type ClosingBody = BodyOf<typeof closuresEndpoints.close>;

/**
 * Waits for an act, then reloads what every page may show differently after it. Not what a reopening would bring back: the
 * server no longer knows a closure that was just reopened.
 */
async function afterwards<T>(work: Promise<T>): Promise<T> {
  const done = await work;
  for (const name of ['closures', 'closing', 'slots', 'today']) reload({ queryKey: [name] });
  return done;
}

/** The closures and holidays from today on. */
export const useClosures = () => useQuery(queryOf(['closures'], closuresEndpoints.listClosures, {}));

/** What closing would cancel; asks nothing while `body` is null. */
export const useClosingPreview = (body: ClosingBody | null) =>
  useQuery({
    ...queryOf(['closing', body], closuresEndpoints.previewClosing, body && { body }),
    staleTime: 0,
  });

export const closeLocations = (body: ClosingBody) => afterwards(call(closuresEndpoints.close, { body }));

interface Reopening {
  readonly id: string;
  readonly location: Location;
  readonly from: IsoDate | undefined;
}
const bodyOf = ({ location, from }: Reopening) => ({ location, ...(from && { from_date: from }) });

/** What reopening would bring back. */
export const useReopening = (on: Reopening) =>
  useQuery({
    ...queryOf(['reopening', on], closuresEndpoints.previewReopening, { params: { id: on.id }, body: bodyOf(on) }),
    staleTime: 0,
  });

export const reopenLocation = (on: Reopening): Promise<Reopened> =>
  afterwards(call(closuresEndpoints.reopen, { params: { id: on.id }, body: bodyOf(on) }));

export const addHolidays = (holidays: Holiday[]) =>
  afterwards(call(closuresEndpoints.addHolidays, { body: { holidays } }));

export const readHolidays = (ics: string) => call(closuresEndpoints.readHolidays, { body: { ics } });
