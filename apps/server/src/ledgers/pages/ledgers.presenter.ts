import { formatTime, shortList, UNIT_MINUTES, unitsLeft } from '@clinic/domain';
import type {
  AuthorizationsReply,
  AuthorizedCode as ShownAuthorizedCode,
  AuthorizedSession,
  CareReply,
  CareSession as ShownCareSession,
  HoursReply,
  LedgerSession,
  SupervisedSession as ShownSupervisedSession,
  SupervisionReply,
} from '@clinic/contract';
import { silentPayers } from '../count/billing.ts';
import { mayWorkAt } from '../../access/caller.ts';
import type { AuthorizationLedger } from './authorizations.service.ts';
import type { AuthorizedCode, CareLedger, CareSession } from './care.service.ts';
import type { HoursLedger, HoursSession } from './hours.service.ts';
import type { SupervisedLedgerSession, SupervisionLedger } from './supervision.service.ts';

type Viewer = Parameters<typeof mayWorkAt>[0];

export function presentHours({ from, until, rows, without }: HoursLedger): HoursReply {
  return {
    from,
    until,
    rows: rows.map(({ id, display_name, credential, hours, limits, worked, left }) => ({
      id,
      name: display_name,
      credential,
      booked: hours.week,
      worked,
      cover_7: hours.cover7,
      cover_28: hours.cover28,
      most: limits.week,
      guaranteed: limits.guaranteed,
      left,
    })),
    off: offFor(
      'credential',
      without,
      `Not checked for ${without === 1 ? '1 person' : `${without} people`}: no credential dates.`,
    ),
  };
}

type Shown = Pick<LedgerSession, 'key' | 'location' | 'date' | 'start' | 'end' | 'subject'>;
type Timed = Pick<HoursSession, 'id' | 'location' | 'date' | 'start' | 'end' | 'subject'>;
const presentTimes = ({ id, location, date, start, end, subject }: Timed): Shown => ({
  key: id,
  location,
  date,
  start: formatTime(start),
  end: formatTime(end),
  subject,
});

/** The client's name, or null if the caller may not see the session's location. */
const clientFor = (caller: Viewer, { location, client }: Pick<HoursSession, 'location' | 'client'>) =>
  mayWorkAt(caller, location) ? client : null;

export const presentSession = (caller: Viewer, session: HoursSession): LedgerSession => ({
  ...presentTimes(session),
  client: clientFor(caller, session),
  cover: session.cover,
});

export const presentCare = ({ from, until, rows, without, silent }: CareLedger): CareReply => ({
  from,
  until,
  rows: rows.map(({ id, name, booked, delivered, billable, lost, lostBy, madeUp, priority, byHand, authorized }) => ({
    id,
    name,
    booked,
    delivered,
    billable,
    lost,
    lost_by: lostBy,
    made_up: madeUp,
    priority,
    by_hand: byHand,
    authorized: authorized && authorized.map(presentAuthorizedCode),
  })),
  off: [...noAuthorization(without), ...silentPayers(silent)],
});

const presentAuthorizedCode = ({ code, authorization: own }: AuthorizedCode): ShownAuthorizedCode => ({
  code,
  authorization: own && {
    id: own.id,
    period: own.period,
    until_date: own.until_date,
    authorized: own.units * UNIT_MINUTES,
    left: unitsLeft([own]) * UNIT_MINUTES,
  },
});

export const presentCareSession = (session: CareSession): ShownCareSession => ({
  ...presentCounted({ ...session, id: session.key }),
  billable: session.billable,
  lost: session.lost,
  lost_by: session.lostBy,
  made_up: session.madeUp,
});

type Counted = Timed & Pick<CareSession, 'booked' | 'delivered'>;

const presentCounted = (session: Counted) => ({
  ...presentTimes(session),
  booked: session.booked,
  delivered: session.delivered,
});

export const presentAuthorized = (
  session: Counted & Pick<AuthorizedSession, 'authorization' | 'used'>,
): AuthorizedSession => ({
  ...presentCounted(session),
  authorization: session.authorization,
  used: session.used,
});

/**
 * Makes an entry for the number of people to whom a rule does not apply because a record is missing; empty if the
 * number is 0.
 */
const offFor = (rule: string, people: number, words: string) => (people === 0 ? [] : [{ rule, people, words }]);

const noAuthorization = (without: number) =>
  offFor(
    'authorization',
    without,
    `Not checked for ${without === 1 ? '1 client' : `${without} clients`}: no authorization.`,
  );

export const presentSupervision = ({ from, until, rows, without }: SupervisionLedger): SupervisionReply => ({
  from,
  until,
  rows: rows.map(({ id, name, direct, needed, before, on, after, atRisk }) => ({
    id,
    name,
    direct,
    needed: needed.minutes,
    done: before.minutes,
    ahead: on.minutes + after.minutes,
    contacts: before.contacts,
    contacts_ahead: on.contacts + after.contacts,
    contacts_needed: needed.contacts,
    at_risk: atRisk,
  })),
  off: offFor(
    'supervision',
    without,
    `Not checked for ${without === 1 ? '1 RBT' : `${without} RBTs`}: no direct sessions this month.`,
  ),
});

export const presentSupervised = (caller: Viewer, session: SupervisedLedgerSession): ShownSupervisedSession => ({
  ...presentTimes(session),
  client: clientFor(caller, session),
  direct: session.direct,
  supervised: session.supervised,
});

export const presentAuthorizations = ({ rows, lapsed, twice, without }: AuthorizationLedger): AuthorizationsReply => ({
  rows: rows.map((row) => ({
    id: row.id,
    client_id: row.client,
    name: row.name,
    payer: row.payer,
    code: row.code,
    number: row.number,
    from_date: row.from_date,
    until_date: row.until_date,
    period: row.period,
    authorized: row.authorized,
    delivered: row.delivered,
    prior: row.prior,
    left: Math.max(0, row.authorized - row.delivered),
  })),
  lapsed,
  off: [
    ...noAuthorization(without),
    ...offFor(
      'two-at-once',
      twice.length,
      `${shortList(twice, 3)}: the payer pays for one therapist at a time, but the units of both are counted here.`,
    ),
  ],
});
