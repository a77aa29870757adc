import type { StoredAbsence } from '@clinic/contract';
import type { IsoDate, Location } from '@clinic/domain';
import { KEEP_TOLD, SOLVE_ANEW, type Keep } from '../keep.ts';
import { failureWords } from '../../../shared/api/failure-words.ts';
import { toast } from '../../../shared/ui/toast.tsx';
import type { Question } from './components/take-back-alert.tsx';
import {
  awayAgain,
  takesBack,
  useRestoreAbsence,
  useWithdrawAbsence,
  wasCalled,
  whyNotRestore,
} from './api/use-absences.ts';

/** Removes a recorded absence. Asks first if people would lose sessions that a commit gave them. */
export function useRemoval({
  location,
  date,
  onProblem,
  onAsk,
  onSolve,
}: {
  location: Location;
  date: IsoDate;
  onProblem: (text: string | null) => void;
  onAsk: (question: Question) => void;
  /** Finds new options for the day after the removal has undone cover. */
  onSolve: (keep: Keep) => void;
}) {
  const withdraw = useWithdrawAbsence(location, date);
  const restore = useRestoreAbsence(location, date);

  const remove = (absences: readonly StoredAbsence[], keep?: Keep): void => {
    const [first] = absences;
    if (!first) return;
    onProblem(null);
    const text = `${first.name} is no longer away.`;
    const undo = (withdrawn_at: string | null): void =>
      restore.mutate(
        { ...first, withdrawn_at },
        {
          onSuccess: () => toast({ text: awayAgain(first.name) }),
          onError: (error) => toast({ tone: 'warn', text: failureWords(error, 'who is away') }),
        },
      );
    withdraw.mutate(
      { ...first, takeBack: keep !== undefined },
      {
        onSuccess: ({ withdrawn_at }) => {
          const whyNot = whyNotRestore(location, date, first);
          toast({ text, action: { label: 'Undo', run: () => undo(withdrawn_at), whyNot } });
          if (keep) onSolve(keep);
        },
        onError: (error) => {
          if (takesBack(error))
            onAsk({
              title: `Remove ${first.name}’s absence?`,
              text: error.message,
              acts: [
                ...(wasCalled(error) ? [{ text: KEEP_TOLD, run: () => remove(absences, 'told') }] : []),
                { text: SOLVE_ANEW, run: () => remove(absences, 'nothing') },
              ],
            });
          else onProblem(failureWords(error, 'who is away'));
        },
      },
    );
  };
  return { busy: withdraw.isPending, remove: (absences: readonly StoredAbsence[]) => remove(absences) };
}
