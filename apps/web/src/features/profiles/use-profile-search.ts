import { useCallback, useMemo, useState } from 'react';
import type { Client, Therapist } from '@clinic/contract';
import type { Location } from '@clinic/domain';
import { useClients, useTherapists } from './api/use-profiles.ts';
import { searchProfiles, type ProfileKind } from './model.ts';
import { rulesInWords } from './restrictions.ts';

/** Finds therapists or clients by the typed name and the chosen location. */
export function useProfileSearch(first: ProfileKind) {
  const [kind, setKind] = useState(first);
  const [typed, setTyped] = useState('');
  const [location, setLocation] = useState<Location | null>(null);
  const [left, setLeft] = useState(false);
  const therapists = useTherapists(left);
  const clients = useClients(kind === 'clients', left);
  const query = kind === 'therapists' ? therapists : clients;
  const shown = useMemo(
    () => searchProfiles<Therapist | Client>(query.data ?? [], typed, location),
    [query.data, typed, location],
  );
  const rulesOf = useCallback(
    (client: Client) =>
      rulesInWords(client, (id) => therapists.data?.find((t) => t.id === id)?.display_name ?? 'a former therapist'),
    [therapists.data],
  );
  return {
    kind,
    setKind,
    typed,
    setTyped,
    /** The chosen location; null for all locations. */
    location,
    setLocation,
    /** Whether people who have left are found, too. */
    left,
    setLeft,
    /** The whole lists; undefined until they are loaded. */
    therapists: therapists.data,
    clients: clients.data,
    /** The request for the list of the chosen kind. */
    query,
    shown,
    /** A client's restrictions in words. */
    rulesOf,
  };
}

export type ProfileSearch = ReturnType<typeof useProfileSearch>;
