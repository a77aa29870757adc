import type { ReactNode } from 'react';
import { Button } from '../../../../shared/ui/button.tsx';
import { cx } from '../../../../shared/ui/class-names.ts';
import { Icon } from '../../../../shared/ui/icon.tsx';
import { Notice } from '../../../../shared/ui/states.tsx';
import type { Choices, ProposalState } from '../model.ts';
import { madeChoices, unaffectedChoices } from '../requests.ts';
import { clientCount } from '../table.ts';
import css from '../proposal-modal.module.css';
import type { Peek } from '../use-peek.ts';
import type { Shown } from '../use-proposal-view.ts';
import { DateTabs } from './date-tabs.tsx';

/** The bar above the table: the dates, the filter, and how the day has changed. */
export function ProposalBar({
  above,
  dayChanged,
  busy,
  peek,
  onRefresh,
  ...shown
}: Shown & {
  /** Shown between the bar and the table: removed absences, and the choice of whether to keep what people were told. */
  above: ReactNode;
  /** What has changed on the calendar since the options were made; null when it has not changed. */
  dayChanged: string | null;
  busy: boolean;
  peek: Peek;
  onRefresh: (pins: Choices) => void;
}) {
  const { state, dispatch, panel, filter } = shown;
  const { decisions, again } = shown.view;
  return (
    <>
      <div className={css.bar}>
        <DateTabs
          dates={state.dates}
          current={state.dateIndex}
          panel={panel}
          countOf={(date) => clientCount(state.reply.data, state.reply.metadata, date)}
          onChange={(index) => {
            dispatch({ type: 'date', index });
            filter.showFromTop();
          }}
        />
        <span className="grow" />
        <span className={cx(css.say, 'muted')}>
          {state.mode === 'refresh'
            ? 'Select what must stay. Refresh finds new options for the rest.'
            : 'Pick one option for each client.'}
        </span>
        {peek.possible ? (
          <Button
            size="sm"
            title="See the calendar with these choices: click, or hold (shortcut: P)"
            aria-keyshortcuts="P"
            {...peek.button}
          >
            Peek
          </Button>
        ) : null}
        <button type="button" className={css.filter} aria-pressed={filter.clients !== null} onClick={filter.toggle}>
          Needs a decision{' '}
          <span className={css.count} data-none={decisions.length === 0 || undefined}>
            {decisions.length}
          </span>
        </button>
      </div>
      {above}
      {again > 0 ? (
        <p className={css.message}>
          <Icon name="undo" />{' '}
          {again === 1
            ? '1 session that was already submitted would change again. This icon marks it.'
            : `${again} sessions that were already submitted would change again. This icon marks them.`}
        </p>
      ) : null}
      {/* Always there: screen readers read only what is added to an element that they already know. */}
      <div role="status">{state.message ? <p className={css.message}>{state.message}</p> : null}</div>
      <Outdated state={state} what={dayChanged} busy={busy} onRefresh={onRefresh} />
    </>
  );
}

/** Says why the options are out of date, with a button to update them. Renders nothing while they are up to date. */
function Outdated({
  state,
  what,
  busy,
  onRefresh,
}: {
  state: ProposalState;
  what: string | null;
  busy: boolean;
  onRefresh: (pins: Choices) => void;
}) {
  const clashes = state.conflicts.length > 0;
  if (!clashes && what === null) return null;
  const made = madeChoices(state);
  const kept = Object.values(made).reduce((sum, clients) => sum + Object.keys(clients).length, 0);
  return (
    <Notice
      tone="warn"
      title={
        clashes
          ? 'The calendar has changed since these options were made. Nothing was submitted.'
          : 'The day has changed since these options were made.'
      }
      actions={
        <Button unavailable={busy} onClick={() => onRefresh(clashes ? unaffectedChoices(state) : made)}>
          {clashes ? 'Refresh, keep my other choices' : 'Refresh'}
        </Button>
      }
    >
      {clashes
        ? 'The table marks the choices that no longer fit. Refresh finds new options for those clients and keeps your other choices.'
        : `${what} ${kept === 0 ? 'Refresh updates the options.' : `Refresh keeps your ${kept} selection${kept === 1 ? '' : 's'}.`}`}
    </Notice>
  );
}
