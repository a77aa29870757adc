import type { StoredAbsence } from '@clinic/contract';
import { isoDate, type IsoDate, type Location } from '@clinic/domain';
import css from './leave.module.css';
import { Link } from '../../shared/router/link.tsx';
import { Button } from '../../shared/ui/button.tsx';
import { useOpening } from '../../shared/ui/use-opening.ts';
import { LeaveDialog } from './leave-dialog.tsx';
import { rangeWords } from './words.ts';

/** Leads from a therapist's absence over dates to who takes the sessions. A client's sessions nobody takes. */
export const TakersLink = ({ id, type, of }: { id: string; type: StoredAbsence['type']; of: string }) =>
  type === 'therapist' ? (
    <Link to={`/leave/${id}`}>
      Who takes the sessions?<span className="sr"> {of}</span>
    </Link>
  ) : null;

/** Of an absence that is one date of a range: the range in words, and a button to change or end it. */
export function LeaveTag({ absence, location, date }: { absence: StoredAbsence; location: Location; date: IsoDate }) {
  const [open, setOpen, close] = useOpening<true>();
  if (!absence.leave) return null;
  return (
    <span className={css.tag}>
      <span>{rangeWords(absence.leave)}</span>
      <Button data-writes variant="link" onClick={() => setOpen(true)}>
        Change or end<span className="sr"> the absence of {absence.name}</span>
      </Button>
      <TakersLink id={absence.leave.id} type={absence.type} of={absence.name} />
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
