import { flushSync } from 'react-dom';
import { useEffect, useId, useRef, useState, type ReactNode, type RefObject } from 'react';
import { TEXTS, type ProposalReply, type StoredAbsence } from '@clinic/contract';
import { locationLabel, longDate, type Interval, type IsoDate, type Location } from '@clinic/domain';
import css from './absences-panel.module.css';
import { Button } from '../../../../shared/ui/button.tsx';
import { Icon } from '../../../../shared/ui/icon.tsx';
import { EmptyState, Notice } from '../../../../shared/ui/states.tsx';
import { getSession } from '../../../../shared/session/session-store.ts';
import { toast } from '../../../../shared/ui/toast.tsx';
import { useShortcuts } from '../../../../shared/shell/shortcuts.ts';
import { saveFailure, takesBack, useSaveAbsences } from '../api/use-absences.ts';
import type { Keep } from '../../keep.ts';
import { useRemoval } from '../use-removal.ts';
import { touchedBy, type TouchableSession } from '../effects.ts';
import { byPerson, isWrong, type AbsenceAction, type AbsenceEntry } from '../model.ts';
import { toQueries } from '../saving.ts';
import { useStillShown, type OptionsDay } from '../../use-still-shown.ts';
import { AbsentPerson } from './absent-person.tsx';
import { PanelFoot } from './panel-foot.tsx';
import { TakeBackAlert, type Question } from './take-back-alert.tsx';
import { StoredAbsences } from './stored-absences.tsx';

export interface AbsencesPanelProps {
  location: Location;
  date: IsoDate;
  entries: readonly AbsenceEntry[];
  act: (action: AbsenceAction) => void;
  stored: readonly StoredAbsence[];
  /** The day's sessions with clients. */
  sessions: readonly TouchableSession[];
  availableOf: (therapist: string) => readonly Interval[];
  /** Absences on this date that therapists reported and a coordinator has yet to confirm. */
  reported: ReactNode;
  /** Lets one choose for how long the person of a window is away. */
  datesOf: (entry: AbsenceEntry, onChange: (further: AbsenceEntry['further']) => void) => ReactNode;
  /** Of a recorded absence that is one date of a range: the range, and a way to change it. */
  leaveOf: (absence: StoredAbsence) => ReactNode;
  /** Whether the server is finding options. */
  busy: boolean;
  /** Called with the options that Save returned, and the day that was saved: another one may be shown by then. */
  onSaved: (reply: ProposalReply, of: OptionsDay) => void;
  onOptions: () => void;
  /** Finds new options for the day after an absence was removed and its cover undone. */
  onSolve: (keep: Keep) => void;
  /** Closes the panel, unless it waits for a reply. */
  onClose: () => void;
}

/**
 * Clicks on these elements do not close the panel, so that a coordinator can select more people while it is open
 * (ABS-03).
 */
const INSIDE = '[data-name],[data-absences],[popover],dialog';

/** The panel `Absences for {date}` (ABS-01): the people selected, the absences already recorded, and Save. */
export function AbsencesPanel(props: AbsencesPanelProps) {
  const { location, date, entries, act, stored, sessions, availableOf, busy, onOptions, onSolve, onClose } = props;
  const id = useId();
  const panel = useRef<HTMLElement>(null);
  const save = useSaveAbsences();
  const [problem, setProblem] = useState<string | null>(null);
  const [asked, setAsked] = useState<Question | null>(null);
  const [tried, setTried] = useState(false);
  const removal = useRemoval({ location, date, onProblem: setProblem, onAsk: setAsked, onSolve });
  // Clears the messages when the selection changes, since they are about the previous selection.
  const [saidOf, setSaidOf] = useState(entries);
  if (saidOf !== entries) {
    setSaidOf(entries);
    setProblem(null);
    setTried(false);
  }
  const touched = touchedBy(sessions, entries);
  const submit = useSubmit({ props, panel, save, onProblem: setProblem, onTried: setTried, onAsk: setAsked });

  useCloseOutside(panel, onClose);
  useFocusNewest(panel);
  useShortcuts([
    { keys: 'Ctrl+ENTER', label: 'Save absences', group: 'Absences', everywhere: true, run: () => submit() },
  ]);

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
        {props.reported}
        {entries.length === 0 ? (
          <NoneSelected />
        ) : (
          <ul>
            {byPerson(entries).map(({ person: { type, name }, windows }) => (
              <AbsentPerson
                key={`${type}:${name}`}
                windows={windows}
                entries={entries}
                sessions={sessions}
                available={type === 'therapist' ? availableOf(name) : []}
                tried={tried}
                datesOf={props.datesOf}
                act={act}
              />
            ))}
          </ul>
        )}
        <StoredAbsences
          stored={stored}
          sessions={sessions}
          selected={entries}
          busy={busy || removal.busy}
          leaveOf={props.leaveOf}
          onChange={(person) => act({ do: 'toggle', person, stored })}
          onWithdraw={removal.remove}
          onOptions={onOptions}
        />
      </div>
      <PanelFoot
        touched={entries.length > 0 ? touched : null}
        anyStored={stored.length > 0}
        saving={save.isPending}
        onClear={() => act({ do: 'clear' })}
        onSave={() => submit()}
      />
      {asked ? <TakeBackAlert question={asked} onClose={() => setAsked(null)} /> : null}
    </section>
  );
}

const NoneSelected = () => (
  <EmptyState title={TEXTS.noAbsencesSelected}>
    <span data-writes>Click a name in the calendar to mark someone absent.</span>
  </EmptyState>
);

interface Submit {
  props: AbsencesPanelProps;
  panel: RefObject<HTMLElement | null>;
  save: ReturnType<typeof useSaveAbsences>;
  onProblem: (text: string | null) => void;
  onTried: (tried: boolean) => void;
  onAsk: (question: Question) => void;
}

/** Saves the selected absences; asks first if saving would undo a commit. */
function useSubmit({ props: { entries, date, location, onSaved }, panel, save, onProblem, onTried, onAsk }: Submit) {
  const isShown = useStillShown(location, date);
  /** Shows why this day was not saved; in a message that names the day if the panel is gone, or about another one. */
  const onFailed = (why: string): void => {
    if (isShown({ location, date })) onProblem(why);
    else if (getSession().signedIn)
      toast({ tone: 'warn', text: `${longDate(date)} at ${locationLabel(location)}: ${why}` });
  };
  const submit = (takeBack = false): void => {
    if (save.isPending) return;
    if (entries.length === 0) return onProblem(TEXTS.noAbsencesToSave);
    if (isWrong(entries)) {
      flushSync(() => onTried(true));
      panel.current?.querySelector<HTMLElement>('[aria-invalid]')?.focus();
      return;
    }
    onProblem(null);
    const body = { queries: toQueries(entries, date, location), date, location, ...(takeBack && { take_back: true }) };
    // The callbacks of `mutate` would not be called on another page, and the outcome would never be told.
    save.mutateAsync(body).then(
      (reply) => onSaved(reply, { location, date }),
      (error: Error) => {
        if (!takesBack(error)) return onFailed(saveFailure(error));
        if (!isShown({ location, date })) return onFailed(error.message);
        onAsk({
          title: 'Undo what was submitted?',
          text: error.message,
          acts: [{ text: 'Save and see options', run: () => submit(true) }],
        });
      },
    );
  };
  return submit;
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
    // What has the focus must be in view, and in a narrow window the panel covers most of the page.
    const onFocusIn = (event: FocusEvent): void => {
      const { target } = event;
      if (!panel.current || !(target instanceof Element) || target.closest('[popover],dialog')) return;
      if (isUnder(panel.current, target)) latest.current();
    };
    const stop = new AbortController();
    document.addEventListener('pointerdown', onPointerDown, { signal: stop.signal });
    document.addEventListener('keydown', onKeyDown, { signal: stop.signal });
    document.addEventListener('focusin', onFocusIn, { signal: stop.signal });
    return () => stop.abort();
  }, [panel]);
}

/** Whether the panel covers the middle of an element outside it. */
function isUnder(panel: Element, element: Element): boolean {
  const [over, under] = [panel.getBoundingClientRect(), element.getBoundingClientRect()];
  const [x, y] = [(under.left + under.right) / 2, (under.top + under.bottom) / 2];
  return !panel.contains(element) && x > over.left && x < over.right && y > over.top && y < over.bottom;
}

/** When the panel opens, focuses the time field of the person selected last; when it closes, restores the focus. */
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
