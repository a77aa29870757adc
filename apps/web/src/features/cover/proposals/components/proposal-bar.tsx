import type { Dispatch, ReactNode } from 'react';
import { Button } from '../../../../shared/ui/button.tsx';
import { cx } from '../../../../shared/ui/class-names.ts';
import { Icon } from '../../../../shared/ui/icon.tsx';
import { Notice } from '../../../../shared/ui/states.tsx';
import type { Choices, ProposalAction, ProposalState } from '../model.ts';
import { madeChoices, unaffectedChoices } from '../requests.ts';
import { clientCount } from '../table.ts';
import css from '../proposal-modal.module.css';
import type { Peek } from '../use-peek.ts';
import type { ProposalView } from '../use-proposal-view.ts';
import { DateTabs } from './date-tabs.tsx';
import type { ProposalFilter } from './proposal-panel.tsx';

/** The bar above the table: the dates, the filter, and how the day has changed. */
export function ProposalBar({
  state,
  dispatch,
  above,
  panel,
  view: { decisions, again },
  filter,
  dayChanged,
  busy,
  onRefresh,
  peek,
}: {
  state: ProposalState;
  dispatch: Dispatch<ProposalAction>;
  /** Shown between the bar and the table: removed absences, and the choice of whether to keep what people were told. */
  above: ReactNode;
  /** The id of the panel that holds the table. */
  panel: string;
  view: ProposalView;
  filter: ProposalFilter;
  /** What has changed on the calendar since the options were made; null when it has not changed. */
  dayChanged: string | null;
  busy: boolean;
  onRefresh: (pins: Choices) => void;
  peek: Peek;
}) {
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
  what,
  ...props
}: {
  state: ProposalState;
  what: string | null;
  busy: boolean;
  onRefresh: (pins: Choices) => void;
}) {
  const { state, busy, onRefresh } = props;
  if (state.conflicts.length === 0) return what === null ? null : <DayChanged what={what} {...props} />;
  return (
    <Notice
      tone="warn"
      title="The calendar has changed since these options were made. Nothing was submitted."
      actions={
        <Button unavailable={busy} onClick={() => onRefresh(unaffectedChoices(state))}>
          Refresh, keep my other choices
        </Button>
      }
    >
      The table marks the choices that no longer fit. Refresh finds new options for those clients and keeps your other
      choices.
    </Notice>
  );
}

function DayChanged({
  state,
  what,
  busy,
  onRefresh,
}: {
  state: ProposalState;
  what: string;
  busy: boolean;
  onRefresh: (pins: Choices) => void;
}) {
  const made = madeChoices(state);
  const kept = Object.values(made).reduce((sum, clients) => sum + Object.keys(clients).length, 0);
  return (
    <Notice
      tone="warn"
      title="The day has changed since these options were made."
      actions={
        <Button unavailable={busy} onClick={() => onRefresh(made)}>
          Refresh
        </Button>
      }
    >
      {what}{' '}
      {kept === 0 ? 'Refresh updates the options.' : `Refresh keeps your ${kept} selection${kept === 1 ? '' : 's'}.`}
    </Notice>
  );
}
