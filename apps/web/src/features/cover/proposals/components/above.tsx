import type { ProposalReply } from '@clinic/contract';
import type { IsoDate, Location } from '@clinic/domain';
import { TakenBack } from '../../absences/components/taken-back.tsx';
import type { Keep } from '../../keep.ts';
import type { ProposalState } from '../model.ts';
import { KeptTold } from './kept-told.tsx';

/**
 * Above a date's options: removed absences that returned sessions, and the choice whether to keep what people were
 * told.
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
  /** Switches to options that keep what people were told, or to options that keep nothing. */
  onSolve: (keep: Keep, ready?: ProposalReply) => void;
  /** The day is as it was before the removal, so these options no longer apply. */
  onUndone: (text: string) => void;
}) {
  return (
    <>
      <TakenBack location={location} date={date} onUndone={onUndone} />
      <KeptTold reply={state.reply} {...{ location, date, busy, fresh, onSolve }} />
    </>
  );
}
