import { causesEndpoints, type Cause } from '@clinic/contract';
import type { LossSide } from '@clinic/domain';
import { call } from '../../../shared/api/client.ts';
import { queryKeys, showReply } from '../../../shared/api/query-client.ts';

/**
 * Saves a cause; `id` is null for a new one. Saving a retired cause makes it available again.
 * @param version the version that was edited; a new cause has none
 */
export async function saveCause(
  id: string | null,
  body: { label: string; lost_by: LossSide | null },
  version: string,
): Promise<void> {
  const write =
    id === null
      ? call(causesEndpoints.createCause, { body })
      : call(causesEndpoints.updateCause, { params: { id }, body: { ...body, version } });
  await showReply(queryKeys.causes, write);
}

/** Loads the causes again, and returns the cause with the given id; undefined if there is none. */
export async function reloadCause(id: string): Promise<Cause | undefined> {
  const causes = await showReply(queryKeys.causes, call(causesEndpoints.listCauses, {}));
  return causes.find((cause) => cause.id === id);
}

/** Deletes a cause that no record uses, or retires one that is in use. Returns which of the two happened. */
export async function removeCause({ id }: Cause): Promise<'deleted' | 'retired'> {
  const left = await showReply(queryKeys.causes, call(causesEndpoints.removeCause, { params: { id } }));
  return left.some((cause) => cause.id === id) ? 'retired' : 'deleted';
}
