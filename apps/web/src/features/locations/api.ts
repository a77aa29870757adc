import { useQuery } from '@tanstack/react-query';
import { locationsEndpoints, type BodyOf, type ManagedLocation } from '@clinic/contract';
import type { IsoDate } from '@clinic/domain';
import { call } from '../../shared/api/client.ts';
import { queryKeys, reload, showReply } from '../../shared/api/query-client.ts';
import { queryOf } from '../../shared/api/query-of.ts';

const KEY = ['locations'] as const;

export const useManagedLocations = () => useQuery(queryOf(KEY, locationsEndpoints.listLocations, {}));

/** Shows the list that a change returned, and loads again what every page knows of the locations. */
async function changed(write: Promise<ManagedLocation[]>): Promise<ManagedLocation[]> {
  const list = await showReply(KEY, write);
  reload({ queryKey: queryKeys.session });
  return list;
}

export type LocationBody = BodyOf<typeof locationsEndpoints.createLocation>;

/** Saves a location; `location` is null for a new one. */
export const saveLocationOf = (location: string | null, body: LocationBody, version: string) =>
  changed(
    location === null
      ? call(locationsEndpoints.createLocation, { body })
      : call(locationsEndpoints.updateLocation, { params: { location }, body: { ...body, version } }),
  );

/** Loads the locations again, and returns the one with this name; null if there is none. */
export async function reloadLocation(location: string): Promise<ManagedLocation | null> {
  const list = await showReply(KEY, call(locationsEndpoints.listLocations, {}));
  return list.find(({ value }) => value === location) ?? null;
}

/** Closes a location from a date on; null keeps it open. */
export const closeFrom = ({ value, version }: ManagedLocation, from: IsoDate | null) =>
  changed(call(locationsEndpoints.closeLocation, { params: { location: value }, body: { from, version } }));

export const useRemaining = (location: string, from: IsoDate | null) =>
  useQuery({
    ...queryOf(
      ['remaining', location, from],
      locationsEndpoints.remainingAtLocation,
      from && { params: { location }, query: { from } },
    ),
    staleTime: 0,
  });

/** What a merge would move; asks nothing while it is not known into which location. */
export const useMergePreview = (location: string, body: { into: string; from: IsoDate } | null) =>
  useQuery({
    ...queryOf(['merge', location, body], locationsEndpoints.previewMerge, body && { params: { location }, body }),
    staleTime: 0,
    retry: false,
  });

export async function mergeInto({ value, version }: ManagedLocation, into: string, from: IsoDate): Promise<void> {
  const write = call(locationsEndpoints.mergeLocation, {
    params: { location: value },
    body: { into, from, version },
  });
  await changed(write.then(({ locations }) => locations));
}
