import { SERVICE_LABELS } from '@clinic/domain';
import { credentialOn, drawUnits, formatTime, holdsOn, usedUnits, type IsoDate, type LossSide } from '@clinic/domain';
import { statusShown } from '@clinic/contract';
import { dateIn, minutesAfter } from '../db/wall-time.ts';
import { isoOf, millisOf } from '../platform/clock.ts';
import type { SessionEvent } from '../tell/history/history.queries.ts';
import { wordsOf } from '../tell/history/history-words.ts';
import type { AsKnown, StateOf } from './as-known.ts';
import type { PastSession } from './facts.queries.ts';

/** What is known about a client's sessions, from which the rows of the file are made. */
export interface Facts {
  readonly client: string;
  readonly sessions: readonly PastSession[];
  /** The events of each session, oldest first. */
  readonly eventsOf: (session: PastSession) => readonly SessionEvent[];
  readonly known: AsKnown;
  /** The units that the client used, by date and code, in chronological order. */
  readonly used: readonly { readonly code: string; readonly date: IsoDate; readonly units: number }[];
}

/** The file's columns: the title, and what it says of a session. */
export const COLUMNS: readonly (readonly [title: string, say: (session: PastSession, facts: Facts) => string])[] = [
  ['Date', ({ starts }) => dateIn(starts)],
  ['From', ({ starts }) => timeOf(starts)],
  ['To', ({ starts, ends }) => timeOf(ends, starts)],
  ['Location', (session, { known }) => known.say('location', session.location, endOf(session), ({ name }) => name)],
  ['Code', ({ code }) => code ?? ''],
  ['Service', ({ service, subject }) => `${SERVICE_LABELS[service]}: ${subject}`],
  ['Status', ({ status, therapist_id }) => statusShown(status, therapist_id !== null)],
  ['Minutes booked', ({ booked }) => String(booked)],
  ['Minutes delivered', ({ delivered }) => String(delivered)],
  [
    'Therapist',
    (session, facts) => (session.therapist_id === null ? 'None' : nameAt(facts, session.therapist_id, session)),
  ],
  ['Credential', credentialWords],
  [
    'Client',
    ({ ...session }, { client, known }) =>
      `${client}: ${known.say('client', client, endOf(session), ({ name }) => name)}`,
  ],
  ['Enrollment', enrollmentWords],
  ['Authorization', authorizationWords],
  ['Units used', usedWords],
  ['Supervision', supervisionWords],
  ['How it came to be', originWords],
  ['Who did what, when (UTC)', historyWords],
  ['Session', ({ wire_id, id }) => `${wire_id} ${id}`],
];

const endOf = ({ ended }: PastSession): number => millisOf(ended);
const timeOf = (at: string, day = at): string => formatTime(minutesAfter(dateIn(day), at));

function nameAt({ known }: Facts, therapist: string, session: PastSession): string {
  return `${therapist}: ${known.say('therapist', therapist, endOf(session), ({ name }) => name)}`;
}

const datesWords = (from: string | null, until: string | null): string =>
  `${from === null ? '' : ` from ${from}`}${until === null ? '' : ` until ${until}`}`;

/** A therapist's credential on a date, and the certificates that show it. */
const credentialOf =
  (date: IsoDate) =>
  ({ credential, credentials }: StateOf<'therapist'>): string => {
    const held = credentialOn(credential, credentials, date);
    const certificates = credentials
      .filter((each) => each.credential === held && holdsOn(each, date))
      .map(
        ({ number, from_date, until_date }) =>
          `${number === '' ? 'no number' : number}${datesWords(from_date, until_date)}`,
      );
    return `${held} (${certificates.length === 0 ? 'profile; no certificate on record' : certificates.join('; ')})`;
  };

function credentialWords(session: PastSession, { known }: Facts): string {
  if (session.therapist_id === null) return '';
  return known.say('therapist', session.therapist_id, endOf(session), credentialOf(dateIn(session.starts)));
}

function enrollmentWords(session: PastSession, { client, known }: Facts): string {
  return known.say('client', client, endOf(session), ({ location, until }) => `${location}${datesWords(null, until)}`);
}

const PERIODS = { total: 'in all', week: 'a week', month: 'a month' } as const;
type Authorization = StateOf<'client'>['authorizations'][number];

const authorizationOf = (own: Authorization): string =>
  `${own.payer} ${own.code}${own.number === '' ? '' : ` no. ${own.number}`}${datesWords(own.from_date, own.until_date)}, ` +
  `${own.units} units ${PERIODS[own.period]}` +
  (own.prior_units === null ? '' : `, ${own.prior_units} used through ${own.prior_until}`);

const authorizationsFor = ({ code, starts }: PastSession, { authorizations }: StateOf<'client'>): Authorization[] =>
  authorizations.filter((own) => own.code === code && holdsOn(own, dateIn(starts)));

/** The authorizations from which the session's date drew units, as they were known then. */
function authorizationWords(session: PastSession, facts: Facts): string {
  if (session.code === null) return '';
  return facts.known.say('client', facts.client, endOf(session), (state) => {
    const drawn = session.delivered > 0 ? drawnOn(session, facts, state).map(({ own }) => own) : [];
    const counted = drawn.length > 0 ? drawn : authorizationsFor(session, state);
    return counted.length === 0 ? `none for ${session.code}` : counted.map(authorizationOf).join('; ');
  });
}

/** The authorizations that the date's sessions under this code count against, and what was used of them through it. */
function drawnOn({ code, starts }: PastSession, { used }: Facts, state: StateOf<'client'>) {
  const date = dateIn(starts);
  const own = state.authorizations.filter((each) => each.code === code);
  const through = used.filter((each) => each.code === code && each.date <= date);
  const draws = drawUnits(own, through, date);
  return own
    .filter((each) => draws.some((draw) => draw.authorization === each && draw.by.date === date))
    .map((each) => ({ own: each, units: usedUnits(draws, each, date) }));
}

/** What the calendar counts now against the authorizations as they were known then. */
function usedWords(session: PastSession, facts: Facts): string {
  const state = facts.known.at('client', facts.client, endOf(session));
  if (session.code === null || session.delivered === 0 || state === null) return '';
  return drawnOn(session, facts, state)
    .map(({ own, units }) => `${units} of ${own.units} ${PERIODS[own.period]} through ${dateIn(session.starts)}`)
    .join('; ');
}

/** Who supervised a direct session, or what a supervision session supervised: the client's sessions at the same time. */
function supervisionWords(session: PastSession, facts: Facts): string {
  const other = session.service === 'direct' ? 'supervision' : 'direct';
  if (session.service !== 'direct' && session.service !== 'supervision') return '';
  const met = facts.sessions.filter(
    (each) =>
      each.service === other &&
      each.delivered > 0 &&
      each.therapist_id !== null &&
      each.therapist_id !== session.therapist_id &&
      each.starts < session.ends &&
      session.starts < each.ends,
  );
  const words = met.map((each) => {
    const [from, to] = [max(each.starts, session.starts), min(each.ends, session.ends)];
    return `${nameAt(facts, each.therapist_id ?? '', each)}, ${credentialWords(each, facts)}, ${timeOf(from)} to ${timeOf(to, from)}`;
  });
  if (words.length === 0) return session.service === 'direct' ? 'none on the calendar' : '';
  return `${session.service === 'direct' ? 'by' : 'of'} ${words.join('; ')}`;
}
const max = (a: string, b: string): string => (a > b ? a : b);
const min = (a: string, b: string): string => (a < b ? a : b);

const SIDES: Readonly<Record<LossSide, string>> = {
  therapist: 'the therapist',
  family: 'the family',
  clinic: 'the clinic',
  payer: 'the payer',
};

function originWords(session: PastSession, facts: Facts): string {
  const { imported, series_id, parent_id, booked_therapist_id, therapist_id, status, cause, lost_by } = session;
  const events = facts.eventsOf(session);
  const words = [
    imported ? 'Imported' : parent_id === null ? 'Booked here' : 'Part of a session',
    ...(series_id === null ? [] : ['in a weekly series']),
    ...(booked_therapist_id !== null && booked_therapist_id !== therapist_id
      ? [`covered for ${nameAt(facts, booked_therapist_id, session)}`]
      : []),
    ...(events.some(({ what }) => what === 'moved') ? ['moved'] : []),
    ...(status === 'cancelled' || status === 'noshow' ? ['not held'] : []),
    ...(cause === null ? [] : [`cause: ${cause}`]),
    ...(lost_by === null ? [] : [`lost by ${SIDES[lost_by]}`]),
  ];
  return words.join(', ');
}

function historyWords(session: PastSession, { eventsOf, known }: Facts): string {
  const events = eventsOf(session).map((event) => {
    const at = millisOf(event.at);
    const who = event.account === null ? 'the system' : known.say('account', event.account, at, ({ name }) => name);
    const words = wordsOf(event, (id) => known.say('therapist', id, at, ({ name }) => name));
    const reason = event.what === 'changed' || !event.reason ? '' : ` (${event.reason})`;
    return `${isoOf(event.at)} ${who}: ${words}${reason}`;
  });
  const first = eventsOf(session)[0];
  const made = `${isoOf(session.created_at)} on the calendar`;
  return [...(first?.before === null ? [] : [made]), ...events].join('\n');
}
