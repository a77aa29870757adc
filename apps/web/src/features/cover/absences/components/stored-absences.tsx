import type { ReactNode } from 'react';
import type { StoredAbsence } from '@clinic/contract';
import css from './absences-panel.module.css';
import { cx } from '../../../../shared/ui/class-names.ts';
import { Button } from '../../../../shared/ui/button.tsx';
import { recordedInWords, type TouchableSession } from '../effects.ts';
import { byPerson, entryOf, isFor, windowWords, type AbsenceEntry } from '../model.ts';

/** The cause after a comma, such as `, sick`, and whether the person knows; empty when neither is recorded. */
const causeOf = ({ loss, untold }: StoredAbsence): string =>
  (loss?.label == null ? '' : `, ${loss.label.toLowerCase()}${loss.late ? ' (late notice)' : ''}`) +
  (untold ? ', they do not know yet' : '');

/** The day's recorded absences, each with buttons to change or remove it, and a button that opens the options. */
export function StoredAbsences({
  stored,
  sessions,
  selected,
  busy,
  leaveOf,
  onChange,
  onWithdraw,
  onOptions,
}: {
  stored: readonly StoredAbsence[];
  sessions: readonly TouchableSession[];
  selected: readonly AbsenceEntry[];
  busy: boolean;
  leaveOf: (absence: StoredAbsence) => ReactNode;
  onChange: (absence: StoredAbsence) => void;
  /** Removes a person's absence, or with `window` only this window of it. */
  onWithdraw: (person: StoredAbsence, window?: StoredAbsence) => void;
  onOptions: () => void;
}) {
  if (stored.length === 0) return null;
  const people = byPerson(stored);
  return (
    <section aria-label="Recorded for this day">
      <div className={css.section}>
        <h3>Recorded for this day</h3>
        <span className="cap">{people.length === 1 ? '1 person' : `${people.length} people`}</span>
      </div>
      <ul className={css.stored}>
        {people.map(({ person, windows }) => {
          const editing = selected.some((entry) => isFor(entry, person));
          return (
            <li key={`${person.type}:${person.name}`}>
              <div>
                <b>{person.name}</b>{' '}
                <span className="muted">{person.type === 'therapist' ? 'Therapist' : 'Client'}</span>
              </div>
              <div data-writes className={css.links}>
                {person.former || editing ? (
                  <span className="small muted">{person.former ? 'no longer with the clinic' : 'changing'}</span>
                ) : (
                  <>
                    <Button variant="link" onClick={() => onChange(person)}>
                      Change<span className="sr"> {person.name}</span>
                    </Button>
                    {windows.some(({ window }) => window.leave) ? null : (
                      <Button variant="link" unavailable={busy} single onClick={() => onWithdraw(person)}>
                        {person.type === 'therapist' ? 'Back at work' : 'Coming after all'}
                        <span className="sr"> {person.name}</span>
                      </Button>
                    )}
                  </>
                )}
              </div>
              <div className={css.windows}>
                {windows.map(({ window }) => (
                  <p key={window.id} className={cx('small muted', css.when)}>
                    <span>
                      {windowWords(window)}
                      {causeOf(window)}: {recordedInWords(sessions, entryOf(window))}
                      {window.leave && !person.former ? leaveOf(window) : null}
                    </span>
                    {windows.length === 1 || window.leave || person.former || editing ? null : (
                      <RemoveWindow window={window} busy={busy} onRemove={() => onWithdraw(person, window)} />
                    )}
                  </p>
                ))}
              </div>
            </li>
          );
        })}
      </ul>
      <Button data-writes size="sm" unavailable={busy} onClick={onOptions}>
        See options
      </Button>
    </section>
  );
}

function RemoveWindow({ window, busy, onRemove }: { window: StoredAbsence; busy: boolean; onRemove: () => void }) {
  return (
    <Button data-writes variant="link" unavailable={busy} single onClick={onRemove}>
      Remove
      <span className="sr">
        {' '}
        {window.name}, {windowWords(window)}
      </span>
    </Button>
  );
}
