// Over 250 lines: one popover with all of its parts.
import { useEffect, useLayoutEffect, useRef, useState, type RefObject } from 'react';
import { clockTime, type Location } from '@clinic/domain';
import type { Explanation, ProposalMetadata } from '@clinic/contract';
import { detailText, ApiError } from '../../../../shared/api/client.ts';
import { Button } from '../../../../shared/ui/button.tsx';
import { cx } from '../../../../shared/ui/class-names.ts';
import { Icon } from '../../../../shared/ui/icon.tsx';
import { placeBeside, stayPlaced } from '../../../../shared/ui/menu.tsx';
import { Segmented } from '../../../../shared/ui/segmented.tsx';
import { Skeleton } from '../../../../shared/ui/states.tsx';
import { useExplanation, type CellAddress } from '../api/use-explanation.ts';
import type { Mode } from '../model.ts';
import { briefRange } from '../slots.ts';
import { takesTitle } from '../takes-title.ts';
import type { WhyCell } from './option-table.tsx';
import { ChoiceList, type Choice } from '../../../../shared/choices/choice-list.tsx';
import { useChoices } from '../api/use-choices.ts';
import type { Chosen } from '../requests.ts';
import css from './why-popover.module.css';

export interface Why extends WhyCell {
  /** The button that opened the popover. The popover is placed beside this button and returns the focus to it. */
  button: HTMLElement;
}

/** The therapist chosen for a cell, in the form a refresh sends. */
type ChosenTherapist = Pick<Chosen, 'therapist' | 'ask'>;

/**
 * The reasons for a cell, in a native popover above the modal. Escape or a click outside closes the popover. On a phone
 * it is a sheet at the bottom.
 */
export function WhyPopover({
  why,
  on: { location, date },
  metadata,
  better,
  mode,
  busy,
  onUse,
  onChoose,
  onClose,
}: {
  why: Why;
  on: { location: Location; date: string };
  metadata: ProposalMetadata;
  /** An option that leaves less of the client's time without a therapist; null when there is none. */
  better: string | null;
  mode: Mode;
  /** Whether options are being solved or submitted. */
  busy: boolean;
  onUse: (option: string) => void;
  /** Pins this therapist to the cell's time and solves everything else again. */
  onChoose: (slot: string, one: ChosenTherapist) => void;
  onClose: () => void;
}) {
  const box = useRef<HTMLDivElement>(null);
  // Starts with a piece that has no therapist, since people ask about such a piece first.
  const [slot, setSlot] = useState((why.pieces.find((p) => p.kind === 'unassigned') ?? why.pieces[0])?.slot ?? '');
  const piece = why.pieces.find((p) => p.slot === slot);
  const query = useExplanation(metadata, { date, client: why.client, option: why.option, slot });

  const [choosing, setChoosing] = useState(false);
  usePopover(box, why.button, onClose, `${query.status} ${choosing}`);

  const close = (): void => {
    box.current?.hidePopover();
    why.button.focus({ preventScroll: true });
  };
  const choose = (one: ChosenTherapist): void => {
    onChoose(slot, one);
    close();
  };
  const title =
    query.data?.title ??
    (piece?.kind === 'unassigned'
      ? `Why no one covers ${why.client} at ${clockTime(piece.start)}`
      : `Why ${piece?.therapist ?? ''} for ${why.client}`);

  return (
    <div ref={box} popover="auto" role="dialog" aria-label={title} tabIndex={-1} className={css.pop}>
      <h3>
        {title}
        <Button variant="ghost" size="sm" icon aria-label="Close the explanation" onClick={close}>
          <Icon name="x" />
        </Button>
      </h3>
      {why.pieces.length > 1 ? (
        <Segmented
          label="Part of the session"
          value={slot}
          options={why.pieces.map((p) => ({ value: p.slot, label: `${briefRange(p.start, p.end)} ${p.therapist}` }))}
          onChange={setSlot}
        />
      ) : null}
      <p className="small muted">
        {title.includes(slot) ? '' : `${slot}. `}
        {piece?.from ? `Booked with ${piece.from}.` : 'No therapist was booked.'}
      </p>
      {query.data ? (
        <Answer explanation={query.data} busy={busy} onChoose={choose} />
      ) : query.error ? (
        <Failure error={query.error} onRetry={() => void query.refetch()} />
      ) : (
        <Waiting />
      )}
      {piece && piece.kind !== 'cancel' ? (
        <div className={css.choose}>
          {choosing ? (
            <CellChoices
              metadata={metadata}
              location={location}
              cell={{ date, client: why.client, option: why.option, slot }}
              busy={busy}
              onChoose={choose}
            />
          ) : (
            <Button size="sm" onClick={() => setChoosing(true)}>
              Choose someone else
            </Button>
          )}
        </div>
      ) : null}
      {better ? (
        <p className={css.act}>
          <Button
            size="sm"
            onClick={() => {
              onUse(better);
              close();
            }}
          >
            {mode === 'refresh' ? 'Keep' : 'Use'} {better} for {why.client}
          </Button>
        </p>
      ) : null}
    </div>
  );
}

function CellChoices({
  metadata,
  location,
  cell,
  busy,
  onChoose,
}: {
  metadata: ProposalMetadata;
  location: Location;
  cell: CellAddress;
  busy: boolean;
  onChoose: (one: ChosenTherapist) => void;
}) {
  const query = useChoices(metadata, cell);
  const choose = ({ therapist, ask }: Choice): void =>
    onChoose(ask === null ? { therapist } : { therapist, ask: true });
  return <ChoiceList query={query} location={location} date={cell.date} busy={busy} onChoose={choose} />;
}

/**
 * Opens the popover beside its button and keeps it there. `drawn` stands for the popover's content: when it changes,
 * the popover's height may have changed too.
 */
function usePopover(
  box: RefObject<HTMLDivElement | null>,
  button: HTMLElement,
  onClose: () => void,
  drawn: string,
): void {
  const latest = useRef(onClose);
  useEffect(() => {
    latest.current = onClose;
  });
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
  }, [box]);
  // Places the popover again after the reply, which may change its height.
  useLayoutEffect(() => {
    if (box.current) placeAt(box.current, button);
  }, [box, button, drawn]);

  // Places the popover again when the window is resized.
  useEffect(() => {
    const element = box.current;
    return element ? stayPlaced(element, () => placeAt(element, button)) : undefined;
  }, [box, button]);
}

function Failure({ error, onRetry }: { error: Error; onRetry: () => void }) {
  return (
    <p role="alert" className={css.error}>
      {error instanceof ApiError
        ? (detailText(error.detail) ?? 'The reason could not be found.')
        : `${error.message} The options have not changed; only the reason is missing.`}{' '}
      <Button variant="link" onClick={onRetry}>
        Try again
      </Button>
    </p>
  );
}

function Waiting() {
  return (
    <div className={css.wait} role="status" aria-label="Finding the reason">
      <Skeleton style={{ height: '1rem' }} />
      <Skeleton style={{ height: '1rem', width: '80%' }} />
      <Skeleton style={{ height: '1rem', width: '90%' }} />
    </div>
  );
}

function Answer({
  explanation: e,
  busy,
  onChoose,
}: {
  explanation: Explanation;
  busy: boolean;
  onChoose: (one: ChosenTherapist) => void;
}) {
  const next = e.next_best?.therapist;
  const most = Math.max(1, ...e.excluded.map((x) => x.count));
  return (
    <>
      <Lines lines={e.about} />
      <Lines title="For" lines={e.speaks_for} />
      <Lines title="Against" lines={e.costs} />
      {e.hours ? <p className={cx('small muted', css.hours)}>{e.hours}</p> : null}
      {e.next_best ? <p className={css.next}>{e.next_best.difference}</p> : null}
      {next === undefined ? null : (
        <p className={css.act}>
          <Button size="sm" unavailable={busy} onClick={() => onChoose({ therapist: next })}>
            Use {next}
          </Button>
        </p>
      )}
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

/** Places the popover beside its button, reaching a little past the button's right edge. On a phone CSS places it. */
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
