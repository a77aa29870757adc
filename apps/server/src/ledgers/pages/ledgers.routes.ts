import { ledgersEndpoints, type Rules, type ShownRules } from '@clinic/contract';
import { hoursWindow, monthOf, nameKey, type IsoDate, type Location, type PersonKind } from '@clinic/domain';
import { loadRules, saveRules } from '../count/rules.ts';
import { selectLocationsOf } from '../../people/stays.ts';
import type { Db } from '../../db/connection.ts';
import { lockAll } from '../../db/locks.ts';
import { inTransaction } from '../../db/retry.ts';
import { timestampOf } from '../../db/wall-time.ts';
import { auditBy } from '../../access/audit.ts';
import { mayWorkAt, requireLocation } from '../../access/caller.ts';
import type { Caller } from '../../access/sessions.ts';
import { requireVersion, versionOf } from '../../platform/content-version.ts';
import type { App, Deps } from '../../access/deps.ts';
import { addRoute } from '../../http/route.ts';
import { refusal } from '../../platform/refusal.ts';
import { readAuthorizations, readAuthorizedSessions } from './authorizations.service.ts';
import { readCare, readCareSessions } from './care.service.ts';
import { readHours, readHoursSessions } from './hours.service.ts';
import {
  presentAuthorizations,
  presentAuthorized,
  presentCare,
  presentCareSession,
  presentHours,
  presentSession,
  presentSupervised,
  presentSupervision,
} from './ledgers.presenter.ts';
import { checkPayer, readPayers, savePayer } from './payers.service.ts';
import { readSupervisedSessions, readSupervision } from './supervision.service.ts';

/** Returns therapists' hours and clients' care, added up from the calendar; also the clinic's rules and payers. */
export function ledgersRoutes(app: App, deps: Deps): void {
  ledgersOfTherapists(app, deps);
  ledgersOfClients(app, deps);
  rulesRoutes(app, deps);
}

function ledgersOfTherapists(app: App, deps: Deps): void {
  const { db } = deps;
  addRoute(app, ledgersEndpoints.hours, async ({ query: { location, date } }) => {
    const now = deps.wallOf(location);
    return presentHours(await readHours(db, location, date, timestampOf(now.date, now.minutes)));
  });

  addRoute(app, ledgersEndpoints.hoursSessions, async ({ params: { id }, query, caller, shows }) => {
    const { monday, sunday } = hoursWindow(query.date);
    const location = await requireLocationOf(db, caller, 'therapist', id, [monday, sunday]);
    const sessions = await readHoursSessions(db, id, query.date);
    shows({ subjectKind: 'therapist', subjectIds: [id], location });
    return sessions.map((session) => presentSession(caller, session));
  });

  addRoute(app, ledgersEndpoints.supervision, async ({ query: { location, date } }) => {
    return presentSupervision(await readSupervision(db, location, date));
  });

  addRoute(app, ledgersEndpoints.supervisedSessions, async ({ params: { id }, query, caller, shows }) => {
    const { first, last } = monthOf(query.date);
    const location = await requireLocationOf(db, caller, 'therapist', id, [first, last]);
    const sessions = await readSupervisedSessions(db, id, query.date);
    shows({ subjectKind: 'therapist', subjectIds: [id], location });
    return sessions.map((session) => presentSupervised(caller, session));
  });
}

function ledgersOfClients(app: App, deps: Deps): void {
  const { db } = deps;
  addRoute(app, ledgersEndpoints.care, async ({ query: { location, date }, shows }) => {
    const care = await readCare(db, location, date, deps.wallOf(location));
    shows({ subjectKind: 'client', subjectIds: care.rows.map(({ id }) => id), location });
    return presentCare(care);
  });

  addRoute(app, ledgersEndpoints.careSessions, async ({ params: { id }, query, caller, shows }) => {
    const location = await requireLocationOf(db, caller, 'client', id);
    const sessions = await readCareSessions(db, id, query.date, deps.wallOf(location));
    shows({ subjectKind: 'client', subjectIds: [id], location });
    return sessions.map(presentCareSession);
  });

  addRoute(app, ledgersEndpoints.authorizations, async ({ query: { location, date }, shows }) => {
    const ledger = await readAuthorizations(db, location, date);
    shows({ subjectKind: 'client', subjectIds: ledger.ids, location });
    return presentAuthorizations(ledger);
  });

  addRoute(app, ledgersEndpoints.authorizedSessions, async ({ params: { id }, query, caller, shows }) => {
    const location = await requireLocationOf(db, caller, 'client', id);
    const sessions = await readAuthorizedSessions(db, id, query.date);
    shows({ subjectKind: 'client', subjectIds: [id], location });
    return sessions.map(presentAuthorized);
  });
}

/**
 * Returns the person's location. Refuses a caller who may not work there.
 * @param days the days of the ledger; a therapist who was at another location on one of them has a row there too
 */
async function requireLocationOf(
  db: Db,
  caller: Caller,
  kind: PersonKind,
  id: string,
  days?: readonly [IsoDate, IsoDate],
): Promise<Location> {
  const person = await db.selectFrom(kind).select('location').where('id', '=', id).executeTakeFirst();
  if (!person) throw refusal(`no-such-${kind}`);
  const elsewhere = days && !mayWorkAt(caller, person.location) ? await selectLocationsOf(db, id, days) : [];
  const location = elsewhere.find((each) => mayWorkAt(caller, each)) ?? person.location;
  requireLocation(caller, location);
  return location;
}

function rulesRoutes(app: App, deps: Deps): void {
  const { db } = deps;
  addRoute(app, ledgersEndpoints.payers, () => readPayers(db));
  const now = (location: Location): string => {
    const { date, minutes } = deps.wallOf(location);
    return timestampOf(date, minutes);
  };
  addRoute(app, ledgersEndpoints.savePayer, ({ query, body, act }) =>
    savePayer(db, act, { payer: body, unassignUnfit: query.sessions === 'unassign' }, now),
  );
  addRoute(app, ledgersEndpoints.checkPayer, ({ body, caller, shows }) => {
    shows({ subjectKind: 'setting', subjectIds: [nameKey(body.name)], location: null });
    return checkPayer(db, caller, body, now);
  });
  addRoute(app, ledgersEndpoints.rules, async () => presentRules(await loadRules(db)));

  addRoute(app, ledgersEndpoints.saveRules, async ({ body: { version, ...body }, act }) => {
    await inTransaction(db, async (trx) => {
      await lockAll(trx, ['rules']);
      const before = await loadRules(trx);
      requireVersion(version, editable(before), editable(body));
      await saveRules(trx, body);
      await auditBy(trx, act, {
        action: 'rules.changed',
        subjectKind: 'setting',
        subjectIds: ['rules'],
        location: null,
        detail: { before, after: body },
      });
    });
    return presentRules(body);
  });
}

/** The values that make up the version of the clinic's limits. */
const editable = (rules: Rules): unknown[] => [
  rules.week_hours,
  rules.new_here_days,
  rules.supervision_percent,
  rules.supervision_contacts,
];

const presentRules = (rules: Rules): ShownRules => ({ ...rules, version: versionOf(editable(rules)) });
