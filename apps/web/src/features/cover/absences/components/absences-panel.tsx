import { useEffect, useId, useRef, useState, type RefObject } from 'react';
import { TEXTS, type ProposalReply, type StoredAbsence } from '@clinic/contract';
import { longDate, type Interval, type IsoDate, type Location } from '@clinic/domain';
import css from './absences-panel.module.css';
import { Button } from '../../../../shared/ui/button.tsx';
import { AlertDialog } from '../../../../shared/ui/dialog.tsx';
import { Icon } from '../../../../shared/ui/icon.tsx';
import { EmptyState, Notice } from '../../../../shared/ui/states.tsx';
import { toast } from '../../../../shared/ui/toast.tsx';
import { useShortcuts } from '../../../../shared/shell/shortcuts.ts';
import { saveFailure, takesBack, useSaveAbsences, useWithdrawAbsence } from '../api/use-absences.ts';
import {
  entryOf,
  problemOf,
  toQueries,
  touchedBy,
  type AbsenceAction,
  type AbsenceEntry,
  type TouchableSession,
} from '../model.ts';
import { AbsenceRow } from './absence-row.tsx';
import { StoredAbsences } from './stored-absences.tsx';

export interface AbsencesPanelProps {
  location: Location;
  date: IsoDate;
  entries: readonly AbsenceEntry[];
  act: (action: AbsenceAction) => void;
  stored: readonly StoredAbsence[];
  /** The day's care sessions. */
  sessions: readonly TouchableSession[];
  availableOf: (therapist: string) => readonly Interval[];
  /** The options are being worked out. */
  busy: boolean;
  /** The proposal that Save answered. */
  onSaved: (reply: ProposalReply) => void;
  onOptions: () => void;
  onClose: () => void;
}

/** A click on these counts as inside: one goes on selecting while the panel is open (ABS-03). */
const INSIDE = '[data-name],[data-absences],[popover],dialog';

/** Asked before what was submitted is taken back: by a withdrawal, or an absence that becomes shorter. */
interface Question {
  title: string;
  text: string;
  act: string;
  run: () => void;
}

/** `Absences for {date}` (ABS-01): who is selected now, who is stored already, and Save. */
export function AbsencesPanel(props: AbsencesPanelProps) {
  const { location, date, entries, act, stored, sessions, availableOf, busy, onSaved, onOptions, onClose } = props;
  const id = useId();
  const panel = useRef<HTMLElement>(null);
  const save = useSaveAbsences();
  const withdraw = useWithdrawAbsence(location, date);
  const [problem, setProblem] = useState<string | null>(null);
  const [asked, setAsked] = useState<Question | null>(null);
  // What was said of a selection is no longer true of another.
  const [saidOf, setSaidOf] = useState(entries);
  if (saidOf !== entries) {
    setSaidOf(entries);
    setProblem(null);
  }
  const touched = touchedBy(sessions, entries);

  const submit = (): void => saveAll(false);
  const saveAll = (takeBack: boolean): void => {
    if (save.isPending) return;
    if (entries.length === 0) {
      setProblem(TEXTS.noAbsencesToSave);
      return;
    }
    const wrong = entries.find(problemOf);
    if (wrong) {
      panel.current?.querySelector<HTMLElement>('[aria-invalid]')?.focus();
      return;
    }
    setProblem(null);
    save.mutate(
      { queries: toQueries(entries, date, location), date, location, ...(takeBack ? { take_back: true } : {}) },
      {
        onSuccess: onSaved,
        onError: (error) => {
          if (!takesBack(error)) setProblem(saveFailure(error));
          else
            setAsked({
              title: 'Take back what was submitted?',
              text: error.message,
              act: 'Save and see options',
              run: () => saveAll(true),
            });
        },
      },
    );
  };

  useCloseOutside(panel, onClose);
  useFocusNewest(panel);
  useShortcuts([{ keys: 'Ctrl+ENTER', label: 'Save the absences', group: 'Absences', everywhere: true, run: submit }]);

  const withdrawAll = (absences: readonly StoredAbsence[], takeBack = false): void => {
    const [first] = absences;
    if (!first) return;
    setProblem(null);
    const text = `${first.name} is no longer away.`;
    const run = (): void => save.mutate({ queries: toQueries(absences.map(entryOf), date, location), date, location });
    withdraw.mutate(
      { ...first, takeBack },
      {
        onSuccess: () => {
          // What a submit had given away would not come back with the absence, so there is no undo: the options follow.
          toast(takeBack ? { text } : { text, action: { label: 'Undo', run } });
          if (takeBack) onOptions();
        },
        onError: (error) => {
          if (takesBack(error))
            setAsked({
              title: `Withdraw the absence of ${first.name}?`,
              text: error.message,
              act: 'Withdraw and see options',
              run: () => withdrawAll(absences, true),
            });
          else setProblem(`Failed to withdraw the absence: ${error.message}`);
        },
      },
    );
  };

  return (
    <section ref={panel} role="dialog" aria-labelledby={id} className={css.panel}>
      <header className={css.head}>
        <h2 id={id}>Absences for {longDate(date)}</h2>
        <Button variant="ghost" icon aria-label="Close" onClick={onClose}>
          <Icon name="x" />
        </Button>
      </header>
      <div className={css.body} tabIndex={0} role="region" aria-label="Absences">
        {problem ? (
          <div className={css.note}>
            <Notice tone="error" title={problem} />
          </div>
        ) : null}
        {entries.length === 0 ? (
          <EmptyState title={TEXTS.noAbsencesSelected}>Click a name in the calendar to mark someone absent.</EmptyState>
        ) : (
          <ul>
            {entries.map((entry) => (
              <AbsenceRow
                key={`${entry.type}:${entry.name}`}
                entry={entry}
                sessions={sessions}
                available={entry.type === 'therapist' ? availableOf(entry.name) : []}
                act={act}
              />
            ))}
          </ul>
        )}
        <StoredAbsences
          stored={stored}
          sessions={sessions}
          selected={entries}
          busy={busy || withdraw.isPending}
          onChange={(absence) => act({ do: 'set', entry: entryOf(absence) })}
          onWithdraw={withdrawAll}
          onOptions={onOptions}
        />
      </div>
      <footer className={css.foot}>
        {entries.length > 0 ? (
          <dl className={css.tally} aria-live="polite">
            <dt>{touched.sessions === 1 ? 'session touched' : 'sessions touched'}</dt>
            <dd>{touched.sessions}</dd>
            <dt>care minutes</dt>
            <dd>{touched.minutes.toLocaleString('en-US')}</dd>
            <dt>{touched.families === 1 ? 'family' : 'families'}</dt>
            <dd>{touched.families}</dd>
          </dl>
        ) : null}
        <div className={css.acts}>
          <Button variant="ghost" size="lg" onClick={() => act({ do: 'clear' })}>
            Clear All Absences
          </Button>
          <Button variant="primary" size="lg" unavailable={save.isPending} onClick={submit}>
            {save.isPending ? 'Saving...' : 'Save Absences'}
          </Button>
        </div>
      </footer>
      {asked ? (
        <AlertDialog
          title={asked.title}
          width="32rem"
          onClose={() => setAsked(null)}
          keep="Keep it"
          acts={[
            {
              text: asked.act,
              run: (close) => {
                close();
                asked.run();
              },
            },
          ]}
        >
          {asked.text}
        </AlertDialog>
      ) : null}
    </section>
  );
}

function useCloseOutside(panel: RefObject<HTMLElement | null>, onClose: () => void): void {
  const latest = useRef(onClose);
  useEffect(() => {
    latest.current = onClose;
  });
  useEffect(() => {
    const onPointerDown = (event: PointerEvent): void => {
      const target = event.target as Element;
      if (panel.current?.contains(target) || target.closest(INSIDE)) return;
      latest.current();
    };
    const onKeyDown = (event: KeyboardEvent): void => {
      if (event.key !== 'Escape' || document.querySelector('dialog:modal, [popover="auto"]:popover-open')) return;
      latest.current();
    };
    document.addEventListener('pointerdown', onPointerDown);
    document.addEventListener('keydown', onKeyDown);
    return () => {
      document.removeEventListener('pointerdown', onPointerDown);
      document.removeEventListener('keydown', onKeyDown);
    };
  }, [panel]);
}

/** Opening leads to the time of the person selected last; closing leads back to where one was. */
function useFocusNewest(panel: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    const before = document.activeElement;
    const entries = panel.current?.querySelectorAll('[data-entry]');
    const newest = entries?.item(entries.length - 1)?.querySelector('input');
    const element = panel.current;
    (newest ?? element?.querySelector('button'))?.focus();
    return () => {
      const lost = document.activeElement === document.body || element?.contains(document.activeElement);
      if (lost && before instanceof HTMLElement && before.isConnected) before.focus();
    };
  }, [panel]);
}
