import { useSyncExternalStore } from 'react';
import { clinicLocations, takeSentLocations, type ClinicLocation, type SentLocation } from '@clinic/domain';
import { savedLocations, saveLocations } from './storage/keys.ts';

/**
 * The clinic's locations in this browser. The server sends them with the session; until its reply arrives, those of the
 * last time are used. `clinicLocations` and its kin read them at once.
 */
let known: string | null = null;
const listeners = new Set<() => void>();

/** Takes over the locations that this browser stored last time. */
export function startLocations(): void {
  const saved = savedLocations();
  try {
    if (saved === null) return;
    takeSentLocations(JSON.parse(saved) as SentLocation[]);
    known = saved;
  } catch {
    // What cannot be read counts as not stored.
  }
}

/** Whether the server, now or last time, has sent the locations. */
export const haveLocations = (): boolean => known !== null;

/** Takes over the locations that the server sent, and renders again what shows them if they are others than before. */
export function takeLocations(sent: readonly SentLocation[]): void {
  const json = JSON.stringify(sent);
  if (json === known) return;
  known = json;
  takeSentLocations(sent);
  saveLocations(json);
  for (const listener of listeners) listener();
}

const subscribe = (listener: () => void): (() => void) => {
  listeners.add(listener);
  return () => void listeners.delete(listener);
};

/** All of the clinic's locations, also those that are closed, by label. */
export const useClinicLocations = (): readonly ClinicLocation[] => useSyncExternalStore(subscribe, clinicLocations);
