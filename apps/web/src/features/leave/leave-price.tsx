import { useEffect, useState } from 'react';
import { useQuery } from '@tanstack/react-query';
import { standingEndpoints, type StandingBody, type StandingPrice } from '@clinic/contract';
import { addDays, duration, isoDate, listWords, MONTHS, shortDate, type IsoDate, type Location } from '@clinic/domain';
import css from './leave.module.css';
import { call } from '../../shared/api/client.ts';
import { saidWords } from '../../shared/api/failure-words.ts';
import { therapistsQuery } from '../../shared/api/people-queries.ts';
import { useToday } from '../../shared/clinic-clock.ts';
import { Button } from '../../shared/ui/button.tsx';
import type { LeaveTerms } from './api.ts';
import { costsLess, shiftsOf, type Dates } from './shifts.ts';

interface Asked {
  readonly body: StandingBody & { readonly until: IsoDate };
  /**
   * The weekdays of the absence, the first date on which it could begin, and the last date up to which the calendar is
   * filled; null where other dates are not compared.
   */
  readonly others: {
    readonly weekdays: readonly number[];
    readonly soonest: IsoDate;
    readonly filled: IsoDate | null;
  } | null;
}

interface Found {
  readonly price: StandingPrice | null;
  /** The nearest dates, earlier and later, that cost less. */
  readonly less: readonly { readonly dates: Dates; readonly price: StandingPrice }[];
  readonly looked: number;
  readonly toLook: number;
  readonly failed: unknown;
}
const NOTHING: Found = { price: null, less: [], looked: 0, toLook: 0, failed: null };

/** Prices the dates that were asked for, and then others, one after another, until one earlier and one later costs less. */
async function look({ body, others }: Asked, signal: AbortSignal, say: (found: Found) => void): Promise<void> {
  const priceOf = ({ first, last }: Dates) =>
    call(standingEndpoints.priceAbsence, { body: { ...body, from: first, until: last }, signal });
  const own = { first: isoDate(body.from), last: isoDate(body.until) };
  let found = NOTHING;
  try {
    const price = await priceOf(own);
    const shifts = others ? shiftsOf(own, others) : [];
    found = { ...found, price, toLook: shifts.length };
    say(found);
    for (const dates of shifts) {
      const isEarlier = dates.first < own.first;
      if (!found.less.some((each) => each.dates.first < own.first === isEarlier)) {
        const other = await priceOf(dates);
        if (costsLess(other, price)) found = { ...found, less: [...found.less, { dates, price: other }] };
      }
      found = { ...found, looked: found.looked + 1 };
      say(found);
    }
  } catch (failed) {
    if (!signal.aborted) say({ ...found, failed });
  }
}

/** What an absence of a therapist would cost, and the nearest dates that cost less. Nothing is recorded. */
export function LeavePrice({
  location,
  terms: { name, first_date, last_date, weekdays, begin, end },
  last,
  filled,
  onUse,
}: {
  location: Location;
  terms: LeaveTerms;
  /** The last date that can be counted. */
  last: IsoDate;
  /** The last date up to which the calendar is filled as usual; null if that is all of the absence. */
  filled: IsoDate | null;
  onUse: ((dates: Dates) => void) | undefined;
}) {
  const { data, error } = useQuery(therapistsQuery);
  const today = useToday(location);
  const [own, ...alike] = (data ?? []).filter((each) => each.location === location && each.display_name === name);
  const isKnown = own !== undefined && alike.length === 0 && today !== null;
  const range = { from: isoDate(first_date), until: last_date === null ? last : isoDate(last_date) };
  const asked: Asked | null = isKnown
    ? {
        body: { location, therapist: own.id, ...range, start: begin, end, weekdays },
        others: last_date === null ? null : { weekdays, soonest: addDays(today, 1), filled },
      }
    : null;
  if (error) return <p className="small alarm">{saidWords(error)}</p>;
  if (asked) return <Prices key={JSON.stringify(asked)} asked={asked} onUse={onUse} />;
  return data && today ? <p className="small muted">Not computed: {name} works at another location.</p> : null;
}

function Prices({ asked, onUse }: { asked: Asked; onUse: ((dates: Dates) => void) | undefined }) {
  const [question] = useState(asked);
  const [found, setFound] = useState(NOTHING);
  useEffect(() => {
    const leaving = new AbortController();
    void look(question, leaving.signal, setFound);
    return () => leaving.abort();
  }, [question]);
  const { price, less, looked, toLook, failed } = found;
  return (
    <section aria-label="What it would cost" aria-live="polite" className={css.price}>
      <b>What it would cost</b>
      {price ? (
        <Price price={price} />
      ) : failed ? null : (
        <p className="small muted">Looking for who could take over…</p>
      )}
      {failed ? (
        <p className="small alarm">{`Not computed${price ? ' for all other dates' : ''}. ${saidWords(failed)}`}</p>
      ) : null}
      {price && !asked.others ? (
        <p className="small muted">Other dates are compared once there is a last day.</p>
      ) : null}
      {price && asked.others && !failed && looked < toLook ? (
        <p className="small muted">
          Looking at other dates: {looked} of {toLook}…
        </p>
      ) : null}
      {less.map(({ dates, price: other }) => (
        <p key={dates.first} className="small">
          <b>
            {shortDate(dates.first)} to {shortDate(dates.last)}
          </b>{' '}
          costs less: {figureWords(other)}.{' '}
          {onUse ? (
            <Button variant="link" onClick={() => onUse(dates)}>
              Use these dates
            </Button>
          ) : null}
        </p>
      ))}
      {price && asked.others && !failed && looked === toLook && less.length === 0 ? (
        <p className="small muted">
          {asked.others.filled
            ? 'No earlier dates within two weeks cost less. Later ones are not compared: not all of their sessions are booked yet.'
            : toLook === 0
              ? 'No other dates are possible.'
              : 'No dates that begin within two weeks cost less.'}
        </p>
      ) : null}
    </section>
  );
}

const facesIn = ({ faces }: StandingPrice): number => faces.reduce((sum, { names }) => sum + names.length, 0);

function figureWords(price: StandingPrice): string {
  const faces = facesIn(price);
  const short = price.supervision.length;
  return [
    price.open.minutes === 0 ? 'no hours lost' : `${duration(price.open.minutes)} lost`,
    faces === 0 ? 'no new face' : `${faces} new ${faces === 1 ? 'face' : 'faces'}`,
    ...(short > 0 ? [`${short} ${short === 1 ? 'RBT' : 'RBTs'} short of supervision`] : []),
  ].join(', ');
}

function Price({ price }: { price: StandingPrice }) {
  const { minutes, open, faces, supervision, proven } = price;
  const paid = open.authorized === 0 ? '' : ` Authorizations would pay for ${duration(open.authorized)} of them.`;
  return (
    <ul className="small">
      <li>If nobody covers: {duration(minutes)} lost.</li>
      <li>
        {open.minutes === 0
          ? 'A standing replacement could take all of it.'
          : `With a standing replacement: ${duration(open.minutes)} lost, unless the day’s plan finds someone.${paid}`}
      </li>
      <li>
        {faces.length === 0
          ? 'No child gets a new face.'
          : `New faces: ${listWords(faces.map(({ child, names }) => `${listWords(names)} for ${child}`))}.`}
      </li>
      <li>
        {supervision.length === 0
          ? 'No RBT falls short of supervision because of it.'
          : `Short of supervision: ${listWords(supervision.map(shortWords))}.`}
      </li>
      {proven ? null : <li>This is the best found in time; a better replacement may exist.</li>}
    </ul>
  );
}

function shortWords({
  name,
  month,
  minutes,
  needed,
  contacts,
  contacts_needed: wanted,
}: StandingPrice['supervision'][number]) {
  const what = minutes < needed ? `${duration(minutes)} of ${duration(needed)}` : `${contacts} of ${wanted} contacts`;
  return `${name} in ${MONTHS[Number(month.slice(5)) - 1] ?? ''} (${what})`;
}
