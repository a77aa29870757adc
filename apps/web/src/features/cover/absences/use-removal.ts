import type { StoredAbsence } from '@clinic/contract';
import type { IsoDate, Location } from '@clinic/domain';
import { KEEP_TOLD, SOLVE_ANEW, type Keep } from '../keep.ts';
import { failureWords } from '../../../shared/api/failure-words.ts';
import { toast } from '../../../shared/ui/toast.tsx';
import type { Question } from './components/take-back-alert.tsx';
import { takesBack, useWithdrawAbsence } from './api/use-absences.ts';
import { entryOf, toQueries, type ProcessBody } from './model.ts';

/** Removing a recorded absence: at once, or after a question when other people would lose what a commit gave them. */
export function useRemoval({
  location,
  date,
  save,
  onProblem,
  onAsk,
  onSolve,
}: {
  location: Location;
  date: IsoDate;
  /** For Undo: records the absences again. */
  save: (body: ProcessBody) => void;
  onProblem: (text: string | null) => void;
  onAsk: (question: Question) => void;
  /** Finds options for what came back. */
  onSolve: (keep: Keep) => void;
}) {
  const withdraw = useWithdrawAbsence(location, date);

  const remove = (absences: readonly StoredAbsence[], keep?: Keep): void => {
    const [first] = absences;
    if (!first) return;
    onProblem(null);
    const text = `${first.name} is no longer away.`;
    const undo = (): void => save({ queries: toQueries(absences.map(entryOf), date, location), date, location });
    withdraw.mutate(
      { ...first, takeBack: keep !== undefined },
      {
        onSuccess: () => {
          // Undo could not restore what the commit gave away, so there is none; the options open instead.
          toast(keep ? { text } : { text, action: { label: 'Undo', run: undo } });
          if (keep) onSolve(keep);
        },
        onError: (error) => {
          if (takesBack(error))
            onAsk({
              title: `Remove the absence of ${first.name}?`,
              text: error.message,
              acts: [
                { text: KEEP_TOLD, run: () => remove(absences, 'told') },
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
