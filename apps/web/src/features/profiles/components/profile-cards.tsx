import { memo } from 'react';
import type { Client, Therapist } from '@clinic/contract';
import { isLocation, locationLabel } from '@clinic/domain';
import { Chip, Skeleton } from '../../../shared/ui/states.tsx';
import { WeekStrip } from './week.tsx';
import css from './profile-cards.module.css';

type Profile = Therapist | Client;
const isTherapist = (p: Profile): p is Therapist => 'availability' in p;

/** A card a profile: full name and location (PROF-02), for therapists the credential and the week. */
export const ProfileCards = memo(function ProfileCards({
  profiles,
  onOpen,
}: {
  profiles: readonly Profile[];
  onOpen: (id: string) => void;
}) {
  return (
    <ul className={css.cards}>
      {profiles.map((p) => (
        <li key={p.id}>
          <button type="button" className={css.card} aria-haspopup="dialog" onClick={() => onOpen(p.id)}>
            <span className={css.name}>{p.display_name}</span>
            {isTherapist(p) ? <Chip>{p.specialization}</Chip> : <span />}
            <span className={css.place}>
              {isLocation(p.location) ? locationLabel(p.location) : p.location}
              {isTherapist(p) ? null : restrictionsCount(p)}
            </span>
            {isTherapist(p) ? (
              <span className={css.week}>
                <WeekStrip windows={p.availability} />
              </span>
            ) : null}
          </button>
        </li>
      ))}
    </ul>
  );
});

function restrictionsCount(c: Client): string {
  const n = c.restrictions.length + Number(c.care_team_only) + Number(c.rbt_or_above);
  return n === 0 ? '' : `, ${n} ${n === 1 ? 'restriction' : 'restrictions'}`;
}

/** Stands where the cards will be, at their height. */
export function ProfileCardsLoading({ what }: { what: string }) {
  return (
    <div className={css.cards} role="status" aria-label={`Loading ${what}`}>
      {Array.from({ length: 20 }, (_, i) => (
        <Skeleton key={i} style={{ height: '5.9rem' }} />
      ))}
    </div>
  );
}
