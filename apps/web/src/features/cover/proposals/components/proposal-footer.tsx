import { shortDate } from '@clinic/domain';
import { useShortcuts } from '../../../../shared/shell/shortcuts.ts';
import { Button } from '../../../../shared/ui/button.tsx';
import { cx } from '../../../../shared/ui/class-names.ts';
import { mixWords } from '../mix.ts';
import { pinCount, type ProposalState } from '../model.ts';
import css from '../proposal-modal.module.css';
import type { ProposalView, Shown } from '../use-proposal-view.ts';

/** The totals of the choices, why they cannot be submitted yet, and the buttons. */
export function ProposalFooter({
  state,
  view,
  sending,
  panel,
  onClose,
  onSubmit,
  onRefresh,
}: Shown & { onClose: () => void; onSubmit: () => void; onRefresh: () => void }) {
  const refreshMode = state.mode === 'refresh';
  const whyNot = refreshMode ? null : view.whyNot;
  const act = refreshMode ? onRefresh : onSubmit;
  const anyClient = state.dates.some((date) => Object.keys(state.reply.data[date] ?? {}).length > 0);
  const unavailable = sending.busy !== null || sending.justRefreshed || !anyClient || whyNot !== null;
  useShortcuts([
    {
      keys: 'Ctrl+ENTER',
      label: 'Submit, or refresh',
      group: 'Options',
      inDialog: true,
      everywhere: true,
      run: () => unavailable || act(),
    },
  ]);
  return (
    <>
      <p className={css.mix} aria-live="polite">
        <Mix state={state} view={view} />
      </p>
      <span className="grow" />
      {whyNot ? (
        <span className={cx(css.whyNot, 'small alarm')} id={`${panel}-why-not`}>
          {whyNot}
        </span>
      ) : null}
      <Button size="lg" unavailable={sending.busy === 'submit'} onClick={onClose}>
        Close
      </Button>
      <Button
        size="lg"
        variant="primary"
        unavailable={unavailable}
        aria-describedby={whyNot ? `${panel}-why-not` : undefined}
        aria-keyshortcuts="Control+Enter"
        title="Shortcut: Ctrl+Enter"
        onClick={act}
      >
        {sending.busy ? 'Processing...' : refreshMode ? 'Refresh' : 'Submit'}
      </Button>
    </>
  );
}

function Mix({ state, view }: { state: ProposalState; view: ProposalView }) {
  if (state.mode === 'refresh') {
    const pinned = pinCount(state);
    return (
      <>
        <b>{pinned === 0 ? 'Nothing selected' : `${pinned} selected to stay`}</b>{' '}
        <span className="muted">{pinned === 0 ? 'New options for everyone' : 'New options for the rest'}</span>
      </>
    );
  }
  const { date, figures } = view;
  if (!figures || date === null) return null;
  const dates = state.dates.length;
  return (
    <>
      <b>Your mix{dates > 1 ? ` on ${shortDate(date)}` : ''}</b>{' '}
      <span className="muted">
        {mixWords(figures)}
        {dates > 1 ? `. Submit puts all ${dates} dates on the calendar.` : ''}
      </span>
    </>
  );
}
