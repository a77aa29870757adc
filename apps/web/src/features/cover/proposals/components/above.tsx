import type { ProposalReply } from '@clinic/contract';
import type { IsoDate, Location } from '@clinic/domain';
import { TakenBack } from '../../absences/components/taken-back.tsx';
import type { Keep } from '../../keep.ts';
import type { ProposalState } from '../model.ts';
import { KeptTold } from './kept-told.tsx';

/**
 * Shown above a date's options: the removed or shortened absences of people who got sessions back, and the choice of
 * whether to keep what people were told.
 */
export function Above({
  state,
  location,
  date,
  busy,
  fresh,
  onSolve,
  onUndone,
}: {
  state: ProposalState;
  location: Location;
  date: IsoDate;
  busy: boolean;
  /** Whether the day is unchanged since these options were made. */
  fresh: boolean;
  /** Shows the options that keep what people were told, or the options that may change it. */
  onSolve: (keep: Keep, ready?: ProposalReply) => void;
  /** Called when the removal of an absence has been undone, since these options then no longer apply. */
  onUndone: (text: string) => void;
}) {
  return (
    <>
      <TakenBack location={location} date={date} onUndone={onUndone} />
      <KeptTold reply={state.reply} {...{ location, date, busy, fresh, onSolve }} />
    </>
  );
}
