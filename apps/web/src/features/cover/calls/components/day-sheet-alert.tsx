import { useState } from 'react';
import { AlertDialog } from '../../../../shared/ui/dialog.tsx';
import { toast } from '../../../../shared/ui/toast.tsx';
import { sendDaySheet, type CallDay } from '../api/use-calls.ts';
import { failureWords } from '../../../../shared/api/failure-words.ts';

/** Asks whether the day sheet was sent to everyone. If it was, everyone counts as told, and all calls are closed. */
export function DaySheetAlert({
  day,
  open,
  asks,
  onClose,
}: {
  day: CallDay;
  /** How many calls are open, and how many of them ask someone who has not said yes. */
  open: number;
  asks: number;
  onClose: () => void;
}) {
  const [busy, setBusy] = useState(false);
  const send = async (close: () => void): Promise<void> => {
    if (busy) return;
    setBusy(true);
    try {
      await sendDaySheet(day);
      toast({ text: 'Everyone has the day sheet: from now on, only changes are listed' });
      close();
    } catch (error) {
      toast({ tone: 'warn', text: failureWords(error, 'the list') });
      setBusy(false);
    }
  };
  return (
    <AlertDialog
      title="Was the day sheet sent to everyone?"
      width="30rem"
      onClose={onClose}
      keep="Not yet"
      acts={[{ text: 'It was sent', unavailable: busy, run: (close) => void send(close) }]}
    >
      <p className="muted">
        {open === 0
          ? 'From now on, the call list shows only later changes.'
          : open === 1
            ? 'The open call counts as made, because the sheet shows the day as it is now.'
            : `All ${open} open calls count as made, because the sheet shows the day as it is now.`}
      </p>
      {asks === 0 ? null : (
        <p className="alarm">
          {asks === 1 ? '1 person has' : `${asks} people have`} been asked for something and not said yes: ask first, or
          nobody may come.
        </p>
      )}
    </AlertDialog>
  );
}
