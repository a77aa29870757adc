import type { StoredAbsence } from '@clinic/contract';
import type { IsoDate, Location } from '@clinic/domain';
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
  onOptions,
}: {
  location: Location;
  date: IsoDate;
  /** For Undo: records the absences again. */
  save: (body: ProcessBody) => void;
  onProblem: (text: string | null) => void;
  onAsk: (question: Question) => void;
  onOptions: () => void;
}) {
  const withdraw = useWithdrawAbsence(location, date);

  const remove = (absences: readonly StoredAbsence[], takeBack = false): void => {
    const [first] = absences;
    if (!first) return;
    onProblem(null);
    const text = `${first.name} is no longer away.`;
    const undo = (): void => save({ queries: toQueries(absences.map(entryOf), date, location), date, location });
    withdraw.mutate(
      { ...first, takeBack },
      {
        onSuccess: () => {
          // Undo could not restore what the commit gave away, so there is none; the options open instead.
          toast(takeBack ? { text } : { text, action: { label: 'Undo', run: undo } });
          if (takeBack) onOptions();
        },
        onError: (error) => {
          if (takesBack(error))
            onAsk({
              title: `Remove the absence of ${first.name}?`,
              text: error.message,
              act: 'Remove it and see options',
              run: () => remove(absences, true),
            });
          else onProblem(`Could not remove the absence: ${error.message}`);
        },
      },
    );
  };
  return { busy: withdraw.isPending, remove: (absences: readonly StoredAbsence[]) => remove(absences) };
}
