import { useId, useState } from 'react';
import { useQuery } from '@tanstack/react-query';
import { absencesEndpoints, type Withdrawal } from '@clinic/contract';
import type { IsoDate, Location } from '@clinic/domain';
import { queryOf } from '../../../../shared/api/query-of.ts';
import { failureWords } from '../../../../shared/api/failure-words.ts';
import { queryKeys } from '../../../../shared/api/query-client.ts';
import { Button } from '../../../../shared/ui/button.tsx';
import { Icon } from '../../../../shared/ui/icon.tsx';
import { useAfterPaint } from '../../../../shared/ui/use-after-paint.ts';
import { awayAgain, useRestoreAbsence } from '../api/use-absences.ts';
import css from './taken-back.module.css';

interface Day {
  readonly location: Location;
  readonly date: IsoDate;
}

/**
 * Shown with the options: each absence whose removal undid cover. A button undoes the removal; if that is not possible,
 * the reason is shown.
 */
export function TakenBack({ location, date, onUndone }: Day & { onUndone: (text: string) => void }) {
  const { data } = useQuery({
    enabled: useAfterPaint(true, false),
    // The key starts with the commits' key, so that any event about the day reloads this query too.
    ...queryOf([...queryKeys.commits(location, date), 'withdrawals'], absencesEndpoints.withdrawals, {
      query: { location, date },
    }),
    staleTime: 0,
  });
  if (!data || data.length === 0) return null;
  return (
    <ul className={css.list} aria-label="Removed or shortened absences">
      {data.map((each) => (
        <li key={`${each.type}:${each.name}`}>
          <Back withdrawal={each} location={location} date={date} onUndone={onUndone} />
        </li>
      ))}
    </ul>
  );
}

function Back({
  withdrawal,
  location,
  date,
  onUndone,
}: Day & { withdrawal: Withdrawal; onUndone: (text: string) => void }) {
  const { name, cannot_undo: cannot } = withdrawal;
  const why = useId();
  const restore = useRestoreAbsence(location, date);
  const [failed, setFailed] = useState<string | null>(null);
  // Not a mutation callback: this component disappears as soon as the day reloads, and then the callback may never run.
  const undo = async (): Promise<void> => {
    setFailed(null);
    try {
      await restore.mutateAsync(withdrawal);
      onUndone(awayAgain(name));
    } catch (error) {
      setFailed(failureWords(error, 'who is away'));
    }
  };
  return (
    <>
      <span>{takenBackWords(withdrawal)}</span>
      <Button
        size="sm"
        unavailable={restore.isPending || cannot !== null}
        aria-describedby={cannot === null ? undefined : why}
        single
        onClick={() => void undo()}
      >
        <Icon name="undo" />
        Undo<span className="sr"> this for {name}</span>
      </Button>
      {cannot === null ? null : (
        <span className="small muted" id={why}>
          Cannot be undone: {cannot}
        </span>
      )}
      {failed === null ? null : (
        <span className="small alarm" role="alert">
          {failed}
        </span>
      )}
    </>
  );
}

function takenBackWords({ name, type, shortened, sessions }: Withdrawal): string {
  const what = shortened ? `${name}’s absence is shorter` : `${name} is no longer away`;
  const count = sessions === 1 ? '1 session' : `${sessions} sessions`;
  const were = sessions === 1 ? 'was' : 'were';
  return `${what}: ${count} that ${were} ${type === 'therapist' ? 'given to others' : 'cancelled'} came back.`;
}
