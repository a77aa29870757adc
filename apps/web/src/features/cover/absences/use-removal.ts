import type { StoredAbsence } from '@clinic/contract';
import type { IsoDate, Location } from '@clinic/domain';
import type { Keep } from '../keep.ts';
import { failureWords } from '../../../shared/api/failure-words.ts';
import { toast } from '../../../shared/ui/toast.tsx';
import { warn } from '../../../shared/use-act.ts';
import type { Question } from './components/take-back-alert.tsx';
import {
  awayAgain,
  takesBack,
  useRestoreAbsence,
  useWithdrawAbsence,
  wasCalled,
  whyNotRestore,
} from './api/use-absences.ts';
import { windowWords } from './model.ts';

const midSentence = (words: string): string => words.charAt(0).toLowerCase() + words.slice(1);

/** Removes a recorded absence, or one window of it. Asks first if people would lose sessions that a commit gave them. */
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

  const remove = (person: StoredAbsence, window: StoredAbsence | undefined, keep?: Keep): void => {
    onProblem(null);
    const { name, type } = person;
    const then = window ? ` ${midSentence(windowWords(window))}` : '';
    const text = `${name} is no longer away${then}.`;
    const undo = (withdrawn_at: string | null): void =>
      restore.mutate(
        { name, type, withdrawn_at },
        {
          onSuccess: () => toast({ text: awayAgain(name) }),
          onError: warn('who is away'),
        },
      );
    withdraw.mutate(
      { name, type, id: window?.id, takeBack: keep !== undefined },
      {
        onSuccess: ({ withdrawn_at }) => {
          const whyNot = whyNotRestore(location, date, person);
          toast({ text, action: { label: 'Undo', run: () => undo(withdrawn_at), whyNot } });
          if (keep) onSolve(keep);
        },
        onError: (error) => {
          if (takesBack(error))
            onAsk({
              title: `${name} ${type === 'therapist' ? 'is back' : 'is coming after all'}${then}. Give the sessions back?`,
              text: error.message,
              acts: [
                ...(wasCalled(error)
                  ? [{ text: 'Yes, except what people were told', run: () => remove(person, window, 'told') }]
                  : []),
                { text: wasCalled(error) ? 'Yes, all' : 'Yes', run: () => remove(person, window, 'nothing') },
              ],
            });
          else onProblem(failureWords(error, 'who is away'));
        },
      },
    );
  };
  return {
    busy: withdraw.isPending,
    remove: (person: StoredAbsence, window?: StoredAbsence) => remove(person, window),
  };
}
