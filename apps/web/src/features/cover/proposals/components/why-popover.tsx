import { useEffect, useRef, useState, type RefObject } from 'react';
import { clockTime, type Location } from '@clinic/domain';
import type { ProposalMetadata } from '@clinic/contract';
import { ChoiceList, type Choice } from '../../../../shared/choices/choice-list.tsx';
import { isolated } from '../../../../shared/isolated.ts';
import { Button } from '../../../../shared/ui/button.tsx';
import { Icon } from '../../../../shared/ui/icon.tsx';
import { setPlace, stayPlaced } from '../../../../shared/ui/menu.tsx';
import { Segmented } from '../../../../shared/ui/segmented.tsx';
import { useChoices, useExplanation, type CellAddress } from '../api/use-explanation.ts';
import type { Mode } from '../model.ts';
import { briefRange } from '../slots.ts';
import type { CellPlace, CellView } from '../table.ts';
import { whyPlace } from '../why-place.ts';
import { WhyAnswer, type ChosenTherapist } from './why-answer.tsx';
import css from './why-popover.module.css';

export interface Why extends CellPlace {
  /** The button that opened the popover. The popover is placed beside this button and returns the focus to it. */
  button: HTMLElement;
}

export interface WhyPopoverProps {
  why: Why;
  /** The cell's pieces; at least one. */
  pieces: readonly CellView[];
  /** The box in which the table scrolls. */
  within: RefObject<HTMLElement | null>;
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
}

/**
 * The reasons for a cell, in a native popover above the modal. Escape or a click outside closes the popover. On a phone
 * it is a sheet at the bottom.
 */
export function WhyPopover(props: WhyPopoverProps) {
  const { why, pieces, on, metadata, better, mode, busy, onUse, onChoose, onClose } = props;
  const box = useRef<HTMLDivElement>(null);
  const [chosen, setChosen] = useState<string | null>(null);
  // Starts with a piece that has no therapist, since people ask about such a piece first.
  const piece = pieces.find((p) => p.slot === chosen) ?? pieces.find((p) => p.kind === 'unassigned') ?? pieces[0];
  const slot = piece?.slot ?? '';
  const cell = { date: on.date, client: why.client, option: why.option, slot };
  const query = useExplanation(metadata, cell);
  const [choosing, setChoosing] = useState(false);
  const close = usePopover(box, why.button, props.within, onClose);
  const choose = (one: ChosenTherapist): void => {
    onChoose(slot, one);
    close();
  };
  const title = query.data?.title ?? titleUntilLoaded(why.client, piece);

  return (
    <div ref={box} popover="auto" role="dialog" aria-label={title} tabIndex={-1} className={css.pop}>
      <header>
        <h3>{isolated(title.replace(slot, slot.replaceAll(/(?<!-) /g, '\u00A0')))}</h3>
        <Button variant="ghost" size="sm" icon aria-label="Close the explanation" onClick={close}>
          <Icon name="x" />
        </Button>
      </header>
      {pieces.length > 1 ? (
        <div className={css.parts}>
          <Segmented
            label="Part of the session"
            value={slot}
            options={pieces.map((p) => ({ value: p.slot, label: `${briefRange(p.start, p.end)} ${p.therapist}` }))}
            onChange={setChosen}
          />
        </div>
      ) : null}
      <p className="small muted">
        {title.includes(slot) ? '' : `${slot}. `}
        {piece?.from ? `Booked with ${piece.from}.` : 'No therapist was booked.'}
      </p>
      <div aria-live={query.error ? 'off' : 'polite'}>
        <WhyAnswer query={query} busy={busy} onChoose={choose} />
      </div>
      {piece && piece.kind !== 'cancel' ? (
        <div className={css.choose}>
          {choosing ? (
            <CellChoices metadata={metadata} location={on.location} cell={cell} busy={busy} onChoose={choose} />
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

function titleUntilLoaded(client: string, piece: CellView | undefined): string {
  return piece?.kind === 'unassigned'
    ? `Why no one covers ${client} at ${clockTime(piece.start)}`
    : `Why ${piece?.therapist ?? ''} for ${client}`;
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
 * Opens the popover beside its button and keeps it there, whatever height its content takes and wherever the table moves
 * the button. Closes the popover when the button is scrolled out of sight. Returns a function that closes the popover
 * and focuses the button.
 */
function usePopover(
  box: RefObject<HTMLDivElement | null>,
  button: HTMLElement,
  within: RefObject<HTMLElement | null>,
  onClose: () => void,
): () => void {
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
  useEffect(() => {
    const [element, table] = [box.current, within.current];
    if (!element || !table) return undefined;
    const place = (): void => {
      if (isInSight(button, table)) placeAt(element, button);
      else element.hidePopover();
    };
    // More options can move the rows, and the user can scroll the table.
    const stop = stayPlaced(element, place, table.firstElementChild);
    table.addEventListener('scroll', place);
    return () => {
      stop();
      table.removeEventListener('scroll', place);
    };
  }, [box, button, within]);

  return () => {
    box.current?.hidePopover();
    button.focus({ preventScroll: true });
  };
}

/** Whether any part of the button is within the box's height. */
function isInSight(button: HTMLElement, box: HTMLElement): boolean {
  const [own, around] = [button.getBoundingClientRect(), box.getBoundingClientRect()];
  return own.bottom > around.top && own.top < around.bottom;
}

/** Places the popover (`whyPlace`). On a phone CSS places it. */
function placeAt(box: HTMLElement, button: HTMLElement): void {
  if (matchMedia('(max-width: 47.5em)').matches) {
    box.style.removeProperty('top');
    box.style.removeProperty('left');
    return;
  }
  const anchor = button.getBoundingClientRect();
  const cell = button.closest('td')?.getBoundingClientRect() ?? anchor;
  const names = button.closest('tr')?.querySelector('th')?.getBoundingClientRect().right ?? 0;
  const view = { width: innerWidth, height: innerHeight };
  setPlace(box, whyPlace(box.getBoundingClientRect(), { button: anchor, cell, names }, view));
}
