import { memo } from 'react';
import type { Client, Therapist } from '@clinic/contract';
import { isLocation, locationLabel } from '@clinic/domain';
import { Chip, Skeleton } from '../../../shared/ui/states.tsx';
import { isTherapist } from '../model.ts';
import { WeekStrip } from './week.tsx';
import css from './profile-cards.module.css';

type Profile = Therapist | Client;

/**
 * A card for each profile, with the name and location (PROF-02), and for therapists also the credential and the week.
 */
export const ProfileCards = memo(function ProfileCards({
  label,
  profiles,
  rulesOf,
  onOpen,
}: {
  label: string;
  profiles: readonly Profile[];
  /** A client's restrictions in words. */
  rulesOf: (client: Client) => readonly string[];
  onOpen: (id: string) => void;
}) {
  return (
    <ul className={css.cards} aria-label={label}>
      {profiles.map((p) => (
        <li key={p.id}>
          <button type="button" className={css.card} aria-haspopup="dialog" onClick={() => onOpen(p.id)}>
            <span className={css.name}>{p.display_name}</span>
            {isTherapist(p) ? <Chip>{p.specialization}</Chip> : <span />}
            <span className={css.place}>{isLocation(p.location) ? locationLabel(p.location) : p.location}</span>
            {isTherapist(p) ? (
              <span className={css.week}>
                <WeekStrip windows={p.availability} />
              </span>
            ) : (
              <span className={css.rules}>{rulesOf(p).join(', ')}</span>
            )}
          </button>
        </li>
      ))}
    </ul>
  );
});

/** Empty cards, of the same height as real ones, shown while profiles load. */
export function ProfileCardsLoading({ what }: { what: string }) {
  return (
    <div className={css.cards} role="status" aria-label={`Loading ${what}`}>
      {Array.from({ length: 20 }, (_, i) => (
        <Skeleton key={i} style={{ height: '5.9rem' }} />
      ))}
    </div>
  );
}
