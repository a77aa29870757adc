import type { StoredAbsence } from '@clinic/contract';
import { isoDate, type IsoDate, type Location } from '@clinic/domain';
import css from './leave.module.css';
import { Button } from '../../shared/ui/button.tsx';
import { useOpening } from '../../shared/ui/use-opening.ts';
import { LeaveDialog } from './leave-dialog.tsx';
import { rangeWords } from './words.ts';

/** Of an absence that is one date of a range: the range in words, and a button to change or end it. */
export function LeaveTag({ absence, location, date }: { absence: StoredAbsence; location: Location; date: IsoDate }) {
  const [open, setOpen, close] = useOpening<true>();
  if (!absence.leave) return null;
  return (
    <span className={css.tag}>
      <span>{rangeWords(absence.leave)}</span>
      <Button variant="link" onClick={() => setOpen(true)}>
        Change or end<span className="sr"> the absence of {absence.name}</span>
      </Button>
      {open ? (
        <LeaveDialog
          key={open.key}
          absence={absence}
          leave={absence.leave}
          location={location}
          date={isoDate(date)}
          onClose={() => close(open.key)}
        />
      ) : null}
    </span>
  );
}
