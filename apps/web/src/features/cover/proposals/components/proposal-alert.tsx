import type { Conflict } from '@clinic/contract';
import { TEXTS } from '@clinic/contract';
import { dayOfWeek, parseDate, weekdayName } from '@clinic/domain';
import { AlertDialog } from '../../../../shared/ui/dialog.tsx';
import css from './proposal-alert.module.css';

export interface ProposalAlertSpec {
  /** The message in the specification's words. */
  title: string;
  /** What the refusal means for the schedule, and what to do about it. */
  body?: string | undefined;
  conflicts?: readonly Conflict[] | undefined;
}

/** Why a refresh or a commit was refused, with the date, time and therapist of each conflict. */
export function ProposalAlert({ alert, onClose }: { alert: ProposalAlertSpec; onClose: () => void }) {
  const conflicts = alert.conflicts ?? [];
  return (
    <AlertDialog title={alert.title} width="32rem" onClose={onClose}>
      <div className={css.body}>
        {conflicts.length > 0 && alert.title !== TEXTS.conflicts ? <p>{TEXTS.conflicts}</p> : null}
        {conflicts.length > 0 ? (
          <ul className={css.conflicts}>
            {conflicts.map((c, i) => (
              <li key={i}>
                <p>
                  <span>Date:</span> {c.date} <small>{weekday(c.date)}</small>
                </p>
                <p>
                  <span>Time:</span> {c.time}
                </p>
                <p>
                  <span>Therapist:</span> {c.therapist}
                </p>
                {c.client || c.why ? (
                  <p className="muted small">{[c.client && `With ${c.client}.`, c.why].filter(Boolean).join(' ')}</p>
                ) : null}
              </li>
            ))}
          </ul>
        ) : null}
        {alert.body ? <p className="muted">{alert.body}</p> : null}
      </div>
    </AlertDialog>
  );
}

/** The name of a date's day of the week; empty when the text is not a date. */
function weekday(text: string): string {
  const date = parseDate(text);
  return date ? weekdayName(dayOfWeek(date)) : '';
}
