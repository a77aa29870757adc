import { useEffect, useEffectEvent, useId, useReducer, useRef, useState, type RefObject } from 'react';
import type { ProposalReply } from '@clinic/contract';
import { longDate, type IsoDate, type Location } from '@clinic/domain';
import { cx } from '../../../shared/ui/class-names.ts';
import { Dialog } from '../../../shared/ui/dialog.tsx';
import { useWorking } from '../../../shared/api/use-working.ts';
import { saveFlash } from '../../../shared/flash.ts';
import { getSession, onSessionLost } from '../../../shared/session/session-store.ts';
import { saveBackedUp } from '../../../shared/storage/keys.ts';
import { useUnsaved } from '../../../shared/unsaved/use-unsaved.ts';
import { useDayChanged } from './api/use-day-changed.ts';
import { useMoreOptions } from './api/use-more-options.ts';
import { ClashBar } from './components/clash-bar.tsx';
import type { Keep } from '../keep.ts';
import { TakenBack } from '../absences/components/taken-back.tsx';
import { KeptTold } from './components/kept-told.tsx';
import { ModeSwitch } from './components/mode-switch.tsx';
import { ProposalAlert } from './components/proposal-alert.tsx';
import { ProposalBar } from './components/proposal-bar.tsx';
import { ProposalFooter } from './components/proposal-footer.tsx';
import { ProposalPanel } from './components/proposal-panel.tsx';
import { forgetMix, forgetProposal, keepMix, keepProposal } from './kept-proposal.ts';
import { useInPlace } from './use-in-place.ts';
import { usePeek, type ShowPeek } from './use-peek.ts';
import { openProposal, proposalReducer, type Choices, type ProposalState } from './model.ts';
import { hasMade, madeChoices, type Chosen } from './requests.ts';
import { useProposalSending, type ProposalSending } from './use-proposal-sending.ts';
import { useProposalView, type ProposalFilter, type Shown } from './use-proposal-view.ts';
import css from './proposal-modal.module.css';

export interface ProposalModalProps {
  reply: ProposalReply;
  /** The options and choices to show again, kept when they were closed or the login session ended; null when new. */
  kept: ProposalState | null;
  location: Location;
  /** The date on the calendar behind the modal, and a function that shows that calendar with the choices applied. */
  behind: { date: string | null; show: ShowPeek };
  /** Whether the server is finding other options. */
  solving: boolean;
  onSolve: (keep: Keep, ready?: ProposalReply) => void;
  /** `refreshed`: whether a refresh was done here (SOL-18). `submitted`: whether the choices are on the calendar. */
  onClose: (how: { refreshed: boolean; submitted: boolean }) => void;
}

/**
 * The options modal: the coordinator chooses an option for each client and submits, or selects what must stay and
 * refreshes.
 */
export function ProposalModal({ reply, kept, location, behind, solving, onSolve, onClose }: ProposalModalProps) {
  const [state, dispatch] = useReducer(proposalReducer, kept ?? openProposal(reply));
  const panel = useId();
  const sending = useProposalSending(state, dispatch, location);
  const { submit, mayClose, leave, undone } = useClosing(state, kept !== null, location, sending, onClose);
  const dayChanged = useDayChanged(state.reply.metadata, kept !== null);
  const view = useProposalView(state);
  const { date, table } = view;
  const box = useRef<HTMLDivElement>(null);
  const filter = useFilter(view.decisions, box);
  useKept(location, state, date);
  useMoreOptions(state, useInPlace(box, dispatch), location, sending.busy !== null);

  const refresh = (pins?: Choices): void => void sending.refresh(pins).then(filter.showFromTop);
  // Keeps everything chosen so far, and solves the rest around the new choice.
  const choose = (choice: Chosen): void => void sending.refresh(madeChoices(state), choice).then(filter.showFromTop);

  const peek = usePeek(state, date === behind.date, behind.show);
  const busy = sending.busy !== null || solving;
  const shown: Shown = { state, dispatch, view, filter, panel, sending };
  const tabs = table !== null || state.dates.length > 1;

  return (
    <Dialog
      title={`Schedule Solutions${date ? ` for ${longDate(date)}` : ''}`}
      width="88rem"
      className={cx(css.modal, tabs && css.steady, peek.peeking && css.peeking, peek.stays && css.stays)}
      scrolls={false}
      mayClose={mayClose}
      onClose={leave}
      aside={<ModeSwitch mode={state.mode} onChange={(mode) => dispatch({ type: 'mode', mode })} />}
      bar={
        tabs ? (
          <ProposalBar
            {...shown}
            above={
              date ? (
                <>
                  <TakenBack location={location} date={date} onUndone={undone} />
                  <KeptTold {...{ reply: state.reply, location, date, busy, onSolve }} fresh={dayChanged === null} />
                </>
              ) : null
            }
            dayChanged={dayChanged}
            busy={busy}
            peek={peek}
            onRefresh={refresh}
          />
        ) : null
      }
      footer={(close) => (
        <ProposalFooter {...shown} onClose={close} onSubmit={() => void submit(close)} onRefresh={() => refresh()} />
      )}
    >
      <ProposalPanel {...shown} box={box} isTab={tabs} location={location} onChoose={choose} />
      <ClashBar view={view} onChange={(changes) => dispatch({ type: 'change-too', changes })} />
      {sending.alert ? <ProposalAlert alert={sending.alert} onClose={sending.dismissAlert} /> : null}
    </Dialog>
  );
}

/**
 * Submits the choices, and closes the modal. However the modal is closed (with its buttons, a reload or the browser's
 * Back), the choices are kept, unless they were submitted or an undo has changed their day.
 */
function useClosing(
  state: ProposalState,
  reopened: boolean,
  location: Location,
  sending: ProposalSending,
  onClose: ProposalModalProps['onClose'],
) {
  const submitted = useRef(false);
  // Closing needs no confirmation, since the choices are kept. During a submit, the modal stays open.
  const unsaved = useUnsaved({ edited: false, saving: sending.busy === 'submit' });
  const keep = useEffectEvent(() => keepOrForget(location, state, reopened, submitted.current || sending.gone));
  useEffect(() => {
    window.addEventListener('pagehide', keep);
    return () => {
      window.removeEventListener('pagehide', keep);
      keep();
    };
  }, []);
  const leave = (): void => {
    sending.leave();
    onClose({ refreshed: state.refreshed, submitted: submitted.current });
  };
  const undone = (text: string): void => {
    saveFlash({ text });
    submitted.current = true;
    leave();
  };
  const submit = async (close: () => void): Promise<void> => {
    if (!(await sending.submit())) return;
    submitted.current = true;
    unsaved.leave(close);
  };
  return { submit, mayClose: unsaved.mayClose, leave, undone };
}

/**
 * New options in which nothing was chosen leave the choices of the options before them as they were kept.
 * @param reopened whether these options were opened with kept choices
 * @param ended whether these options were submitted or can no longer be used
 */
function keepOrForget(location: Location, state: ProposalState, reopened: boolean, ended: boolean): void {
  if (!getSession().signedIn) return; // Logging out has removed what this tab kept.
  if (!ended && hasMade(state)) keepMix(location, state);
  else if (ended || reopened) forgetMix();
}

/** Which clients the table in this box shows. */
function useFilter(decisions: readonly string[], box: RefObject<HTMLElement | null>): ProposalFilter {
  const [clients, setClients] = useState<readonly string[] | null>(null);
  return {
    clients,
    toggle: () => setClients(clients ? null : decisions),
    showAll: () => setClients(null),
    showFromTop: () => {
      setClients(null);
      box.current?.scrollTo({ top: 0 });
    },
  };
}

/**
 * Shows other coordinators that this coordinator is working on the day. Stores the free therapists, which Submit sends
 * (SOL-19), and keeps the choices if the login session ends.
 */
function useKept(location: Location, state: ProposalState, date: IsoDate | null): void {
  useWorking('options', location, date);
  const { reply } = state;
  useEffect(() => saveBackedUp(reply.backed_up_therapists), [reply]);
  useEffect(forgetProposal, []);
  useEffect(() => onSessionLost(() => keepProposal(location, state)), [location, state]);
}
