import { useEffect, useLayoutEffect, useRef } from 'react';
import { clockTime } from '@clinic/domain';
import type { Explanation, ProposalMetadata } from '@clinic/contract';
import { detailText, ApiError } from '../../../../shared/api/client.ts';
import { Button } from '../../../../shared/ui/button.tsx';
import { Icon } from '../../../../shared/ui/icon.tsx';
import { placeBeside, stayPlaced } from '../../../../shared/ui/menu.tsx';
import { Skeleton } from '../../../../shared/ui/states.tsx';
import { useExplanation, type CellAddress } from '../api/use-explanation.ts';
import type { Mode } from '../model.ts';
import { parseSlot } from '../slots.ts';
import type { CellView } from '../table.ts';
import { takesTitle } from '../takes-title.ts';
import css from './why-popover.module.css';

export interface Why {
  cell: CellAddress;
  view: CellView;
  /** The button it belongs to: it opens beside it, and the focus returns there. */
  button: HTMLElement;
}

/**
 * The reasons for a cell, in the browser's own popover: above the modal, closed by Escape or a click elsewhere. On a
 * phone it is a sheet at the bottom.
 */
export function WhyPopover({
  why,
  metadata,
  better,
  mode,
  onUse,
  onClose,
}: {
  why: Why;
  metadata: ProposalMetadata;
  /** An option that leaves less of this client's time uncovered. */
  better: string | null;
  mode: Mode;
  onUse: (option: string) => void;
  onClose: () => void;
}) {
  const box = useRef<HTMLDivElement>(null);
  const latest = useRef(onClose);
  useEffect(() => {
    latest.current = onClose;
  });
  const query = useExplanation(metadata, why.cell);

  useEffect(() => {
    const element = box.current;
    if (!element) return;
    element.showPopover();
    element.focus({ preventScroll: true });
    const onToggle = (event: Event): void => {
      if ((event as ToggleEvent).newState === 'closed') latest.current();
    };
    element.addEventListener('toggle', onToggle);
    return () => element.removeEventListener('toggle', onToggle);
  }, []);
  // The reply may have changed its height.
  useLayoutEffect(() => {
    if (box.current) placeAt(box.current, why.button);
  }, [why.button, query.data, query.error]);

  // And when the screen has rotated.
  useEffect(() => {
    const element = box.current;
    return element ? stayPlaced(element, () => placeAt(element, why.button)) : undefined;
  }, [why.button]);

  const close = (): void => {
    box.current?.hidePopover();
    why.button.focus({ preventScroll: true });
  };
  const start = parseSlot(why.cell.slot)?.start;
  const title =
    query.data?.title ??
    (why.view.kind === 'unassigned'
      ? `Why no one covers ${why.cell.client}${start === undefined ? '' : ` at ${clockTime(start)}`}`
      : `Why ${why.view.therapist} for ${why.cell.client}`);

  return (
    <div ref={box} popover="auto" role="dialog" aria-label={title} tabIndex={-1} className={css.pop}>
      <h3>
        {title}
        <Button variant="ghost" size="sm" icon aria-label="Close the explanation" onClick={close}>
          <Icon name="x" />
        </Button>
      </h3>
      <p className="small muted">
        {title.includes(why.cell.slot) ? '' : `${why.cell.slot}. `}
        {why.view.from ? `Booked with ${why.view.from}.` : 'No therapist was booked.'}
      </p>
      {query.data ? (
        <Answer explanation={query.data} />
      ) : query.error ? (
        <p role="alert" className={css.error}>
          {query.error instanceof ApiError
            ? (detailText(query.error.detail) ?? 'The reason could not be found.')
            : `${query.error.message} The options have not changed; only the reason is missing.`}{' '}
          <Button variant="link" onClick={() => void query.refetch()}>
            Try again
          </Button>
        </p>
      ) : (
        <div className={css.wait} role="status" aria-label="Finding the reason">
          <Skeleton style={{ height: '1rem' }} />
          <Skeleton style={{ height: '1rem', width: '80%' }} />
          <Skeleton style={{ height: '1rem', width: '90%' }} />
        </div>
      )}
      {better ? (
        <p className={css.act}>
          <Button
            size="sm"
            onClick={() => {
              onUse(better);
              close();
            }}
          >
            {mode === 'refresh' ? 'Keep' : 'Use'} {better} for {why.cell.client}
          </Button>
        </p>
      ) : null}
    </div>
  );
}

function Answer({ explanation: e }: { explanation: Explanation }) {
  const most = Math.max(1, ...e.excluded.map((x) => x.count));
  return (
    <>
      <Lines title="For" lines={e.speaks_for} />
      <Lines title="Against" lines={e.costs} />
      {e.next_best ? <p className={css.next}>{e.next_best.difference}</p> : null}
      {e.excluded.length > 0 ? (
        <>
          <p className="small muted">Of {e.therapists} therapists, in this option:</p>
          <ul className={css.tally}>
            {e.excluded.map((x) => (
              <li key={x.reason}>
                <details>
                  <summary>
                    <span className={css.count}>{x.count}</span>
                    <span>{x.reason.replace(/^\d+ /, '')}</span>
                    <span className={css.measure} style={{ '--v': x.count / most }} />
                  </summary>
                  <p>{x.therapists.join(', ')}</p>
                </details>
              </li>
            ))}
          </ul>
        </>
      ) : null}
      {e.what_it_would_take ? (
        <div className={css.take}>
          <b>{takesTitle(e.what_it_would_take)}</b> {e.what_it_would_take.words}
          <Lines lines={e.what_it_would_take.changes} />
        </div>
      ) : null}
    </>
  );
}

function Lines({ title, lines }: { title?: string; lines: readonly string[] }) {
  if (lines.length === 0) return null;
  return (
    <>
      {title ? <p className={css.sub}>{title}</p> : null}
      <ul className={css.lines}>
        {lines.map((line) => (
          <li key={line}>{line}</li>
        ))}
      </ul>
    </>
  );
}

/** Beside its button, with its right edge slightly beyond the button's; on a phone CSS places it. */
function placeAt(box: HTMLElement, button: HTMLElement): void {
  if (matchMedia('(max-width: 47.5em)').matches) {
    box.style.removeProperty('top');
    box.style.removeProperty('left');
    return;
  }
  const anchor = button.getBoundingClientRect();
  const width = box.getBoundingClientRect().width;
  placeBeside(box, new DOMRect(anchor.right - width + 24, anchor.top, anchor.width, anchor.height), 8);
}
