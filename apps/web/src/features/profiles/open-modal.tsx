import { useState, type ReactNode } from 'react';
import type { Client, Therapist } from '@clinic/contract';
import { CLIENT } from './client.tsx';
import { isTherapist, type ProfileKind } from './model.ts';
import { ProfileModal } from './profile-modal.tsx';
import { THERAPIST } from './therapist.tsx';

/** The open profile: its id, or null for a new profile. */
export interface Open {
  kind: ProfileKind;
  id: string | null;
}

/** The profile that an address such as `?kind=clients&id=…` opens; null if the address names none. */
export function openedBy({ kind, id }: Readonly<Record<string, string>>): Open | null {
  return id !== undefined && (kind === 'therapists' || kind === 'clients') ? { kind, id } : null;
}

/** Shows the open profile in a dialog, once the list of such profiles has loaded. */
export function OpenModal({
  kind,
  id,
  therapists,
  clients,
  more,
  onClose,
}: Open & {
  therapists: readonly Therapist[] | undefined;
  clients: readonly Client[] | undefined;
  /** What else the page shows of a person, below their profile. */
  more: (kind: ProfileKind, person: Therapist | Client) => ReactNode;
  onClose: () => void;
}) {
  return kind === 'therapists' ? (
    <OpenProfile list={therapists} id={id}>
      {(listed) => <ProfileModal spec={THERAPIST} listed={listed} more={more} onClose={onClose} />}
    </OpenProfile>
  ) : (
    <OpenProfile list={clients} id={id}>
      {(listed) => <ProfileModal spec={CLIENT} listed={listed} more={more} onClose={onClose} />}
    </OpenProfile>
  );
}

/** Opens the form of a profile that has been loaded as a whole. */
export function EditModal({ profile, onClose }: { profile: Therapist | Client; onClose: () => void }) {
  const rest = { atOnce: true, more: () => null, onClose };
  return isTherapist(profile) ? (
    <ProfileModal spec={THERAPIST} listed={profile} {...rest} />
  ) : (
    <ProfileModal spec={CLIENT} listed={profile} {...rest} />
  );
}

/** Keeps the open profile on screen, even if someone else's change removes the profile from the list. */
function OpenProfile<P extends { id: string }>({
  list,
  id,
  children,
}: {
  list: readonly P[] | undefined;
  id: string | null;
  children: (listed: P | null) => ReactNode;
}) {
  const found = id === null ? null : (list?.find((p) => p.id === id) ?? undefined);
  const [kept, setKept] = useState(found);
  if (found !== undefined && kept === undefined) setKept(found);
  const listed = found ?? kept;
  return listed === undefined ? null : children(listed);
}
