import type { CallLine, CallNo, DeclinedPerson } from '@clinic/contract';
import type { Choice } from '../../../shared/choices/choice-list.tsx';
import { SaidError } from '../../../shared/api/client.ts';
import { failureWords } from '../../../shared/api/failure-words.ts';
import { navigate } from '../../../shared/router/history.ts';
import { toast } from '../../../shared/ui/toast.tsx';
import { keepRestriction, sendAnswer, takeBackNo, type CallDay } from './api/use-calls.ts';
import { lineKey, whoWords } from './model.ts';

/** What a coordinator can do after a no: record it, take it back, or find new options. */
export function useNo({
  day,
  write,
  choose,
  keepFocus,
  note,
  withItsNote,
}: {
  day: CallDay;
  /** Sends writes one after another, and shows a message when a write fails. */
  write: (work: () => unknown) => Promise<void>;
  choose: (line: string) => void;
  /** Keeps the focus in the list when the focused element disappears. */
  keepFocus: () => void;
  note: string;
  /** Wraps an action so that its note is put back if the action fails. */
  withItsNote: (line: CallLine, noted: string, work: () => Promise<void>) => () => Promise<void>;
}) {
  const person = (line: CallLine) => ({ ...day, kind: line.kind, id: line.id });
  /** Opens the new options after a no, once every answer so far is saved. */
  const toOptions = (): void =>
    void write(() => {
      navigate({ to: '/calendar', search: { ...day, options: 'open' } });
    });
  /**
   * Opens the new options with another therapist chosen for a session. The address holds ids, not names, since
   * addresses may be logged.
   */
  const toChosen = (session: string, { id: therapist, ask }: Choice): void => {
    const chosen = { session, therapist, ...(ask === null ? {} : { ask: 'yes' }) };
    void write(() => {
      navigate({ to: '/calendar', search: { ...day, options: 'open', ...chosen } });
    });
  };
  const next = { label: 'See options', run: toOptions };
  const no = (line: CallLine, what: CallNo) =>
    sendAnswer({
      ...person(line),
      version: line.version,
      answer: 'said-no',
      no: what,
      ...(note === '' ? {} : { note }),
    });
  const sayNo = (line: CallLine, what: CallNo): Promise<void> => {
    keepFocus();
    choose(lineKey(line));
    const work = async (): Promise<void> => {
      await no(line, what);
      toast({ text: `${whoWords(line)}: said no`, next });
    };
    return write(withItsNote(line, note, work));
  };
  /** Records on the client's profile that the family never wants this therapist again. */
  const keepRestrictionOf = (line: CallLine, therapist: string): Promise<void> => {
    keepFocus();
    choose(lineKey(line));
    const work = async (): Promise<void> => {
      await keepRestriction(line.id, therapist);
      await no(line, { scope: 'but', therapist }).catch((error: unknown) => {
        throw new SaidError(`Saved on the profile. Their no: ${failureWords(error, 'the list')}`, { cause: error });
      });
      toast({ text: `${whoWords(line)}: said no; saved on the profile`, next });
    };
    return write(withItsNote(line, note, work));
  };
  const takeBack = (who: DeclinedPerson): Promise<void> =>
    write(async () => {
      await takeBackNo({ ...day, id: who.id });
      toast({ text: `${who.therapist} may be asked again` });
    });
  return { toOptions, toChosen, sayNo, keepRestriction: keepRestrictionOf, takeBackNo: takeBack };
}
