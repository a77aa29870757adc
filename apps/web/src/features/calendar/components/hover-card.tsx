import { Fragment, useEffect, useId, useRef, useState, type RefObject } from 'react';
import { UNASSIGNED } from '@clinic/contract';
import { defaultLocation, duration, parseLocation, timeSlot, type PersonKind } from '@clinic/domain';
import css from './hover-card.module.css';
import { namedPath } from '../../../shared/person-path.ts';
import { Link } from '../../../shared/router/link.tsx';
import { lazyPart } from '../../../shared/ui/lazy-part.tsx';
import { placeBeside } from '../../../shared/ui/menu.tsx';
import { Chip } from '../../../shared/ui/states.tsx';
import { isUnassigned } from '../appointments.ts';
import { statusShown, type Bar } from '../bars.ts';

// Only covered sessions need this part, so it is not in the first load.
const CoverStory = lazyPart(() => import('./cover-story.tsx').then((m) => m.CoverStory));

const LINGER_MS = 120;

interface Shown {
  bar: Bar;
  anchor: HTMLElement;
}

/** Whether two versions of a bar show the same content. */
const isSame = (a: Bar, b: Bar): boolean =>
  a.name === b.name && JSON.stringify(a.appointments) === JSON.stringify(b.appointments);

/**
 * The card for the hovered, focused or tapped bar: client, therapist, status, location and subject (CAL-08). The
 * pointer may move onto the card, Escape hides it, and screen readers read it as the bar's description.
 */
export function HoverCard({
  box,
  barOf,
  credentialOf,
}: {
  box: RefObject<HTMLElement | null>;
  /** Finds a bar by its id. */
  barOf: (id: string) => Bar | undefined;
  credentialOf: (therapist: string) => string | null;
}) {
  const id = useId();
  const { card, shown, hide } = useShownBar(box, barOf, id);
  if (!shown) return null;
  const { bar } = shown;
  const now = barOf(bar.id);
  if (!now || !isSame(now, bar)) {
    // Hides the card when the day changes, since the session it describes may have changed.
    hide();
    return null;
  }
  return (
    <div ref={card} id={id} role="tooltip" className={css.card} onPointerLeave={hide}>
      <CardBody bar={bar} credentialOf={credentialOf} />
    </div>
  );
}

/** The hovered, focused or tapped bar, and where its card goes. */
function useShownBar(box: RefObject<HTMLElement | null>, barOf: (id: string) => Bar | undefined, id: string) {
  const [shown, setShown] = useState<Shown | null>(null);
  const card = useRef<HTMLDivElement>(null);
  const latest = useRef(barOf);
  useEffect(() => {
    latest.current = barOf;
  });

  useEffect(() => {
    const grid = box.current;
    if (!grid) return;
    let leaving: ReturnType<typeof setTimeout> | undefined;
    const show = (target: EventTarget | null): void => {
      const anchor = (target as Element | null)?.closest<HTMLElement>('[data-bar]') ?? null;
      const bar = anchor ? latest.current(anchor.dataset['bar'] ?? '') : undefined;
      clearTimeout(leaving);
      if (anchor && bar) setShown((now) => (now?.anchor === anchor && now.bar.id === bar.id ? now : { bar, anchor }));
      else hide();
    };
    const hide = (): void => {
      clearTimeout(leaving);
      leaving = setTimeout(() => {
        if (card.current?.matches(':hover')) return;
        // When the pointer leaves, the card shows the focused bar.
        const focused = document.activeElement;
        if (focused instanceof HTMLElement && focused.dataset['bar'] !== undefined && grid.contains(focused))
          show(focused);
        else setShown(null);
      }, LINGER_MS);
    };
    // Where the pointer was last in a modal. When the modal closes, the browser reports the bar that appears there.
    let rest = '';
    const placeOf = ({ clientX, clientY }: MouseEvent): string => `${clientX},${clientY}`;
    const onMove = (event: MouseEvent): void => {
      rest = event.target instanceof Element && event.target.closest('dialog') ? placeOf(event) : '';
    };
    const onOver = (event: MouseEvent): void => {
      if (event.type === 'pointerover' && placeOf(event) === rest) return;
      if ((event.target as Element).closest('[data-bar]')) show(event.target);
      else hide();
    };
    // A modal that closes returns the focus to the bar; its card would cover the rows that the user looks at next.
    const onFocusIn = ({ target, relatedTarget }: FocusEvent): void => {
      if (!(relatedTarget instanceof Element && relatedTarget.closest('dialog'))) show(target);
    };
    const onKey = (event: KeyboardEvent): void => {
      if (event.key === 'Escape') setShown(null);
    };
    const stop = new AbortController();
    const { signal } = stop;
    grid.addEventListener('pointerover', onOver, { signal });
    grid.addEventListener('pointerleave', hide, { signal });
    grid.addEventListener('focusin', onFocusIn, { signal });
    grid.addEventListener('focusout', hide, { signal });
    grid.addEventListener('click', onOver, { signal });
    window.addEventListener('resize', () => setShown(null), { signal });
    document.addEventListener('keydown', onKey, { signal });
    document.addEventListener('pointermove', onMove, { signal });
    // The card is loaded after the day is painted; the pointer or the focus may be on a bar already.
    const early = grid.querySelector('[data-bar]:hover, [data-bar]:focus');
    if (early) show(early);
    return () => {
      clearTimeout(leaving);
      stop.abort();
    };
  }, [box]);

  useAnchored(box, card, shown, id, setShown);
  return { card, shown, hide: () => setShown(null) };
}

/** Keeps the card beside its bar, and marks the bar. Hides the card when its bar is gone or scrolled away. */
function useAnchored(
  box: RefObject<HTMLElement | null>,
  card: RefObject<HTMLElement | null>,
  shown: Shown | null,
  id: string,
  setShown: (none: null) => void,
): void {
  useEffect(() => {
    if (!shown) return;
    const { anchor } = shown;
    const scroll = box.current;
    const place = (): void => {
      if (!anchor.isConnected) setShown(null);
      else if (card.current) placeBeside(card.current, anchor.getBoundingClientRect());
    };
    // The card grows when its story has loaded, and the bar moves when rows above it change.
    const moved = new ResizeObserver(place);
    for (const part of [card.current, scroll?.firstElementChild]) if (part) moved.observe(part);
    // The keyboard scrolls a bar into view, so that bar keeps its card. A bar under the pointer moves away.
    const onScroll = (): void => {
      if (anchor.matches(':focus-visible') && scroll && isInView(anchor, scroll)) place();
      else setShown(null);
    };
    scroll?.addEventListener('scroll', onScroll, { passive: true });
    anchor.setAttribute('aria-describedby', id);
    anchor.setAttribute('data-on', '');
    return () => {
      moved.disconnect();
      scroll?.removeEventListener('scroll', onScroll);
      anchor.removeAttribute('aria-describedby');
      anchor.removeAttribute('data-on');
    };
  }, [box, card, shown, id, setShown]);
}

/** Whether the element, or part of it, lies between the top and the bottom of the part of the page that scrolls. */
function isInView(element: Element, scroll: Element): boolean {
  const [inner, outer] = [element.getBoundingClientRect(), scroll.getBoundingClientRect()];
  return inner.bottom > outer.top && inner.top < outer.bottom;
}

/** A name that leads to its own page. Keys reach that page from the palette: the card shows beside a bar and takes no focus. */
const Name = ({ type, name }: { type: PersonKind; name: string }) => (
  <Link to={namedPath(type)} search={{ name }} tabIndex={-1} className={css.name}>
    {name}
  </Link>
);

/** The card's content: the session's client, therapist, status, location and subject (CAL-08). */
function CardBody({ bar, credentialOf }: { bar: Bar; credentialOf: (therapist: string) => string | null }) {
  const [first] = bar.appointments;
  if (!first) return null;
  const whole = { start: first.start, end: first.end };
  const isWrong = bar.wrong.length > 0;
  const part = bar.window.start !== whole.start || bar.window.end !== whole.end;
  const credential = isUnassigned(first.therapist) ? null : credentialOf(first.therapist);
  return (
    <>
      <header className={css.head}>
        <div>
          <h2>
            {bar.appointments.map((a, i) => (
              <Fragment key={i}>
                {i === 0 ? null : ', '}
                {a.admin ? a.client : <Name type="client" name={a.client} />}
              </Fragment>
            ))}
          </h2>
          <p className="muted">
            {timeSlot(whole.start, whole.end)}, {duration(whole.end - whole.start)}
          </p>
        </div>
        <Chip
          tone={bar.kind === 'open' || isWrong ? 'need' : first.status === 'booked' ? 'ok' : undefined}
          icon={bar.kind === 'open' ? 'nobody' : isWrong ? 'warn' : first.status === 'booked' ? 'check' : undefined}
        >
          {statusShown(bar.kind, first)}
        </Chip>
      </header>
      <dl className={css.facts}>
        <dt>Therapist</dt>
        <dd>
          {isUnassigned(first.therapist) ? UNASSIGNED : <Name type="therapist" name={first.therapist} />}
          {credential ? `, ${credential}` : ''}
        </dd>
        {first.bookedWith === null && !first.hadNobody ? null : (
          <>
            <dt>{isUnassigned(first.therapist) ? 'Was with' : 'Covers for'}</dt>
            <dd>{first.bookedWith ?? 'No one: it had no therapist'}</dd>
          </>
        )}
        <dt>Subject</dt>
        <dd>{first.subject || 'None'}</dd>
        <dt>Location</dt>
        <dd>{first.location}</dd>
        {first.loss?.label == null ? null : (
          <>
            <dt>Reason</dt>
            <dd>
              {first.loss.label}
              {first.loss.late ? ', late notice' : ''}
            </dd>
          </>
        )}
      </dl>
      {(first.hadNobody || first.bookedWith !== null) && first.key !== null ? (
        <CoverStory
          key={first.key}
          sessionKey={first.key}
          location={parseLocation(first.location) ?? defaultLocation()}
        />
      ) : null}
      {bar.kind === 'open' && part ? (
        <p className={css.note}>Needs cover {timeSlot(bar.window.start, bar.window.end)}</p>
      ) : null}
      <p data-writes className={css.hint}>
        {matchMedia('(hover: none)').matches ? 'Tap twice to change' : 'Double-click or press Enter to change'}
      </p>
      {bar.wrong.map((why) => (
        <p key={why} className={css.note}>
          {why}
        </p>
      ))}
      {bar.clash && !isWrong ? <p className={css.note}>Double-booked: move one of the two.</p> : null}
    </>
  );
}
