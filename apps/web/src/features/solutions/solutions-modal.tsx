import { useCallback, useDeferredValue, useEffect, useId, useMemo, useReducer, useRef, useState } from 'react';
import type { ProposalReply } from '@clinic/contract';
import { longDate, parseDate, type Location } from '@clinic/domain';
import { Button } from '../../shared/ui/button.tsx';
import { cx } from '../../shared/ui/class-names.ts';
import { Dialog } from '../../shared/ui/dialog.tsx';
import { EmptyState, Notice } from '../../shared/ui/states.tsx';
import { metadataDetails } from '../../shared/api/whole-replies.ts';
import { saveBackedUp } from '../../shared/storage/keys.ts';
import { useDayChanged } from './api/use-day-changed.ts';
import type { CellAddress } from './api/use-explanation.ts';
import { ClashBar } from './components/clash-bar.tsx';
import { DateTabs } from './components/date-tabs.tsx';
import { ModeSwitch } from './components/mode-switch.tsx';
import { OptionTable } from './components/option-table.tsx';
import { SolutionsAlert } from './components/solutions-alert.tsx';
import { WhyPopover, type Why } from './components/why-popover.tsx';
import { allClashes, whyNotSubmit } from './consistency.ts';
import {
  betterOption,
  clashCells,
  clashWords,
  clashesOf,
  conflictCells,
  mixFigures,
  mixWords,
  needDecision,
  settlement,
  settlementWords,
} from './mix.ts';
import { currentDate, openSolutions, pinCount, selectionOf, solutionsReducer } from './model.ts';
import { madeChoices, unaffectedChoices } from './requests.ts';
import { emptyMessage, isCell, tableOf } from './table.ts';
import { useSolutionsSending } from './use-solutions-sending.ts';
import css from './solutions-modal.module.css';

// NOTE: past 250 lines because the modal's parts meet here and nowhere else; each part is a file of its own.

export interface SolutionsModalProps {
  reply: ProposalReply;
  location: Location;
  /** `refreshed`: a refresh was done here (SOL-18). `submitted`: the choices are on the calendar. */
  onClose: (how: { refreshed: boolean; submitted: boolean }) => void;
}

const NOTHING: Readonly<Record<string, string>> = {};

/** Schedule Solutions: choose an option per client and submit, or select what must stay and refresh. */
export function SolutionsModal({ reply, location, onClose }: SolutionsModalProps) {
  const [state, dispatch] = useReducer(solutionsReducer, reply, openSolutions);
  const panel = useId();
  const box = useRef<HTMLDivElement>(null);
  const submitted = useRef(false);
  const [why, setWhy] = useState<Why | null>(null);
  const [filtered, setFiltered] = useState<readonly string[] | null>(null);
  const sending = useSolutionsSending(state, dispatch, location);
  const dayChanged = useDayChanged(state.reply.metadata);

  const { data, metadata } = state.reply;
  const details = useMemo(() => metadataDetails(metadata), [metadata]);
  const date = parseDate(currentDate(state) ?? '');
  const empty = emptyMessage(data, date ?? undefined);
  const table = useMemo(
    () => (date && empty === null ? tableOf(data, details.options[date] ?? {}, date) : null),
    [data, details, date, empty],
  );
  const selection = (date ? selectionOf(state)[date] : undefined) ?? NOTHING;
  const choice = (date ? state.choices[date] : undefined) ?? NOTHING;
  const claims = date ? details.claims[date] : undefined;
  const clashes = useMemo(() => clashesOf(claims, selection), [claims, selection]);
  const clashing = useMemo(() => (table ? clashCells(table, clashes) : new Set<string>()), [table, clashes]);
  const conflicts = useMemo(
    () => (table ? conflictCells(table, state.conflicts) : new Map<string, string>()),
    [table, state.conflicts],
  );
  const decisions = useMemo(
    () => (table ? needDecision(table, choice, clashesOf(claims, choice), conflicts) : []),
    [table, choice, claims, conflicts],
  );
  const figures = useMemo(() => (table ? mixFigures(table, choice) : null), [table, choice]);
  const whyNot = useMemo(() => whyNotSubmit(state, allClashes(state)), [state]);

  // Settling can look at hundreds of mixes: worked out after the click has been painted.
  const settled = useDeferredValue(clashes.length > 0 ? selection : NOTHING);
  const remedy = useMemo(() => {
    if (!table || !claims || settled === NOTHING) return null;
    const options = table.columns.filter((c) => c.real).map((c) => c.name);
    return settlement(claims, settled, date ? state.last[date] : undefined, options);
  }, [table, claims, settled, date, state.last]);

  // SOL-19, and the keyboard starts at what is chosen, not at a button that one press could set off.
  useEffect(() => saveBackedUp(reply.backed_up_therapists), [reply]);
  useEffect(() => {
    const first = box.current?.querySelector<HTMLElement>('[data-do="pick"][aria-pressed="true"]');
    first?.focus({ preventScroll: true });
  }, []);

  const onPick = useCallback((client: string, option: string) => dispatch({ type: 'pick', client, option }), []);
  const onAll = useCallback((option: string) => dispatch({ type: 'pick-all', option }), []);
  const openWhy = (cell: CellAddress, button: HTMLElement): void => {
    const column = table?.columns.findIndex((c) => c.name === cell.option) ?? -1;
    const row = table?.blocks.find((b) => b.client === cell.client)?.rows.find((r) => r.slot === cell.slot);
    const view = row?.cells[column];
    if (isCell(view)) setWhy({ cell, view, button });
  };
  const toDate = (index: number): void => {
    dispatch({ type: 'date', index });
    setFiltered(null);
    box.current?.scrollTo({ top: 0 });
  };
  const refresh = (...how: Parameters<typeof sending.refresh>): void => {
    setFiltered(null);
    void sending.refresh(...how).then(() => box.current?.scrollTo({ top: 0 }));
  };

  const submit = (close: () => void): void =>
    void sending.submit().then((written) => {
      if (!written) return;
      submitted.current = true;
      close();
    });

  const refreshMode = state.mode === 'refresh';
  // What the filter shows stays while one decides: a row does not vanish under the pointer.
  const shown = filtered ? new Set([...filtered, ...decisions]) : null;
  const blocks = table ? (shown ? table.blocks.filter((b) => shown.has(b.client)) : table.blocks) : [];
  const first = clashes[0];
  const pinned = pinCount(state);
  const kept = Object.values(madeChoices(state)).reduce((sum, c) => sum + Object.keys(c).length, 0);
  const better = why && table ? betterOption(table, why.cell.client, why.cell.option) : null;

  return (
    <Dialog
      title={`Schedule Solutions${date ? ` for ${longDate(date)}` : ''}`}
      width="78rem"
      className={cx(css.modal, table && css.steady)}
      scrolls={false}
      mayClose={() => submitted.current || sending.busy !== 'submit'}
      onClose={() => {
        sending.leave();
        onClose({ refreshed: state.refreshed, submitted: submitted.current });
      }}
      aside={<ModeSwitch mode={state.mode} onChange={(mode) => dispatch({ type: 'mode', mode })} />}
      bar={
        table ? (
          <>
            <div className={css.bar}>
              <DateTabs
                dates={state.dates}
                current={state.dateIndex}
                panel={panel}
                countOf={(d) => Object.keys(data[d] ?? {}).length}
                onChange={toDate}
              />
              <span className="grow" />
              <span className={cx(css.say, 'muted')}>
                {refreshMode
                  ? 'Select what must stay. Everything else is solved again.'
                  : 'Pick one option per client.'}
              </span>
              <button
                type="button"
                className={css.filter}
                aria-pressed={filtered !== null}
                onClick={() => setFiltered(filtered ? null : decisions)}
              >
                Needs a decision{' '}
                <span className={css.count} data-none={decisions.length === 0 || undefined}>
                  {decisions.length}
                </span>
              </button>
            </div>
            {state.conflicts.length > 0 ? (
              <Notice
                tone="warn"
                title="The calendar has changed since these options were made. Nothing was written."
                actions={
                  <Button unavailable={sending.busy !== null} onClick={() => refresh(unaffectedChoices(state))}>
                    Refresh, keep the others
                  </Button>
                }
              >
                What no longer fits is marked in the table. Refresh solves it again and keeps everyone else’s choice.
              </Notice>
            ) : dayChanged ? (
              <Notice
                tone="warn"
                title="The day changed since these options were made."
                actions={
                  <Button unavailable={sending.busy !== null} onClick={() => refresh(madeChoices(state))}>
                    Refresh
                  </Button>
                }
              >
                {dayChanged}{' '}
                {kept === 0
                  ? 'Refresh solves it as it is now.'
                  : `Refresh keeps your ${kept} selection${kept === 1 ? '' : 's'}.`}
              </Notice>
            ) : null}
          </>
        ) : null
      }
      footer={(close) => (
        <>
          <p className={css.mix} aria-live="polite">
            {refreshMode ? (
              <>
                <b>{pinned === 0 ? 'Nothing selected' : `${pinned} selected to stay`}</b>{' '}
                <span className="muted">
                  {pinned === 0 ? 'Everything is solved again' : 'The rest is solved again'}
                </span>
              </>
            ) : figures ? (
              <>
                <b>Your mix</b> <span className="muted">{mixWords(figures)}</span>
              </>
            ) : null}
          </p>
          <span className="grow" />
          {!refreshMode && whyNot ? (
            <span className={cx(css.whyNot, 'small alarm')} id={`${panel}-why-not`}>
              {whyNot}
            </span>
          ) : null}
          <Button size="lg" unavailable={sending.busy === 'submit'} onClick={close}>
            Close
          </Button>
          <Button
            size="lg"
            variant="primary"
            unavailable={
              sending.busy !== null || sending.justRefreshed || table === null || (!refreshMode && whyNot !== null)
            }
            aria-describedby={!refreshMode && whyNot ? `${panel}-why-not` : undefined}
            onClick={() => (refreshMode ? refresh() : submit(close))}
          >
            {sending.busy ? 'Processing...' : refreshMode ? 'Refresh' : 'Submit'}
          </Button>
        </>
      )}
    >
      <div
        ref={box}
        id={panel}
        className={css.body}
        role={table ? 'tabpanel' : undefined}
        aria-labelledby={table && date ? `${panel}-${date}` : undefined}
        aria-busy={sending.busy !== null}
        onScroll={why ? () => setWhy(null) : undefined}
      >
        {table ? (
          blocks.length > 0 ? (
            <OptionTable
              table={table}
              blocks={blocks}
              mode={state.mode}
              picked={selection}
              clashing={clashing}
              conflicts={conflicts}
              why={why?.cell ?? null}
              onPick={onPick}
              onAll={onAll}
              onWhy={openWhy}
            />
          ) : (
            <EmptyState
              title="Nothing needs a decision"
              action={<Button onClick={() => setFiltered(null)}>Show all clients</Button>}
            >
              Every client of this day is covered in the option chosen for them.
            </EmptyState>
          )
        ) : (
          <EmptyState title={empty ?? ''}>Nobody’s day needs to change.</EmptyState>
        )}
      </div>
      {first && table ? (
        <ClashBar
          words={clashWords(first)}
          more={clashes.length - 1}
          remedy={remedy && Object.keys(remedy).length > 0 ? settlementWords(table, remedy) : null}
          onChange={() => remedy && dispatch({ type: 'change-too', changes: remedy })}
        />
      ) : null}
      {why ? (
        <WhyPopover
          key={`${why.cell.client} ${why.cell.slot} ${why.cell.option}`}
          why={why}
          metadata={metadata}
          better={
            better
              ? { option: better, words: `${refreshMode ? 'Keep' : 'Use'} ${better} for ${why.cell.client}` }
              : null
          }
          onUse={(option) => {
            if (selection[why.cell.client] !== option) onPick(why.cell.client, option);
          }}
          onClose={() => setWhy(null)}
        />
      ) : null}
      {sending.alert ? <SolutionsAlert alert={sending.alert} onClose={sending.dismissAlert} /> : null}
    </Dialog>
  );
}
