import { randomBytes, randomUUID } from 'node:crypto';
import { addDays, isoDate } from '@clinic/domain';
import type { ActionsReply, StandingReply } from '@clinic/contract';
import { isoAt } from '../../platform/clock.ts';
import { everyone, propose, submit, submitBody } from '../../testing/calls.ts';
import { buildSmallClinic, DATE } from '../../testing/small-clinic.ts';
import { buildAbsence, buildAppointment, buildTherapist } from '../../testing/builders.ts';
import { buildServiceAccount } from '../../testing/service-account.ts';
import type { TestApp } from '../../testing/test-app.ts';

/** The people, sessions and commit at Altamonte that the requests in the route table use. */
export interface Scene {
  readonly date: string;
  readonly therapist: { id: string; name: string };
  readonly client: { id: string; name: string };
  readonly commit: string;
  readonly account: { id: string; email: string; password: string };
  readonly submitBody: object;
  readonly refreshBody: () => Promise<{ readonly metadata: object; readonly refreshSelections: readonly object[] }>;
  readonly explainBody: object;
  /** The choice of a standing replacement that was not committed yet. */
  readonly standingBody: () => Promise<object>;
  /**
   * Each call of these functions returns something that no other request uses: an empty day, a day when the therapist
   * is away, a session, a therapist.
   */
  readonly freeDate: () => string;
  /** A date in the coming weeks. */
  readonly nearDate: () => string;
  readonly ownClosure: () => Promise<string>;
  readonly ownLeave: () => Promise<string>;
  readonly awayDate: () => Promise<string>;
  /** A date on which Lin's absence was withdrawn. */
  readonly backDate: () => Promise<string>;
  readonly ownSession: () => Promise<string>;
  /** Two sessions of one day with different therapists: the same pair for the address and the body of one request. */
  readonly ownPair: () => Promise<readonly [string, string]>;
  readonly ownProgram: () => Promise<string>;
  readonly ownWebhook: () => Promise<string>;
  readonly appointment: string;
  readonly ownTherapist: () => Promise<string>;
  readonly ownInvitation: () => Promise<string>;
  readonly ownReport: () => Promise<string>;
  readonly ownAbsence: () => Promise<string>;
  readonly lostSession: () => Promise<string>;
  readonly number: () => number;
}

export async function buildScene(t: TestApp): Promise<Scene> {
  const { db } = t.deps;
  const clinic = await buildSmallClinic(db);
  const staff = await t.signIn();
  const proposal = await propose(staff, { therapist: 'Ana Ruiz' });
  const submitted = submitBody(proposal, everyone(proposal));
  const { commit } = (await submit(staff, submitted)).json<ActionsReply>();
  // The second day's proposal is never committed, so that it can be refreshed.
  const later = addDays(isoDate(DATE), 3);
  await buildAppointment(db, { therapist: clinic.kai, client: clinic.bo, date: later, start: '10:00', end: '11:00' });
  const open = await propose(staff, { therapist: 'Kai Wood', date: later });
  const slots = Object.keys(open.data[later]?.['Bo Lee']?.['Option 1'] ?? {});
  const { proposal: id, revision } = open.metadata;
  let number = 0;
  const freeDate = (): string => addDays(isoDate('2031-01-06'), 7 * ++number); // each use returns another Monday
  const nearDate = (): string => addDays(isoDate(new Date().toISOString().slice(0, 10)), 10 + (++number % 300));
  /** A pair of sessions that was given out once. */
  let half: readonly [string, string] | undefined;
  return {
    date: DATE,
    therapist: { id: clinic.lin, name: 'Lin Park' },
    client: { id: clinic.bo, name: 'Bo Lee' },
    commit,
    account: { id: staff.accountId, email: staff.email, password: staff.password },
    submitBody: submitted,
    async refreshBody() {
      const newest = await db
        .selectFrom('proposal_revision')
        .select(['revision', 'data'])
        .where('proposal_id', '=', id)
        .orderBy('revision', 'desc')
        .executeTakeFirstOrThrow();
      const metadata = { proposal: id, revision: newest.revision };
      return { output: { possible_solutions: newest.data }, metadata, refreshSelections: [] };
    },
    explainBody: { proposal: id, revision, date: later, client: 'Bo Lee', option: 'Option 1', time_slot: slots[0] },
    freeDate,
    async standingBody() {
      const date = freeDate();
      await buildAppointment(db, { therapist: clinic.lin, client: clinic.bo, date, start: '10:00', end: '11:00' });
      const payload = { location: 'altamonte', therapist: clinic.lin, from: date, until: date };
      const offered = await staff.call({ method: 'POST', url: '/api/standing', payload });
      return { proposal: offered.json<StandingReply>().proposal, choice: { [clinic.bo]: 'Option 1' } };
    },
    nearDate,
    async ownClosure() {
      const date = nearDate();
      const { id } = await db
        .insertInto('closure')
        .values({
          act: randomUUID(),
          location: 'altamonte',
          first_date: date,
          first_minute: 0,
          last_date: date,
          last_minute: 1440,
          name: 'Storm',
          recorded_at: new Date().toISOString(),
        })
        .returning('id')
        .executeTakeFirstOrThrow();
      return id;
    },
    async ownLeave() {
      const at = new Date().toISOString();
      const first = nearDate();
      const { id } = await db
        .insertInto('leave')
        .values({
          location: 'altamonte',
          therapist_id: clinic.lin,
          first_date: first,
          weekdays: [0, 1, 2, 3, 4, 5, 6],
          start_minute: 480,
          end_minute: 540,
          made_until: addDays(isoDate(first), 1),
          recorded_at: at,
          changed_at: at,
        })
        .returning('id')
        .executeTakeFirstOrThrow();
      return id;
    },
    ownAbsence: () => buildAbsence(db, { therapist: clinic.max, date: freeDate() }),
    lostSession: () =>
      buildAppointment(db, {
        therapist: clinic.max,
        client: clinic.ida,
        date: freeDate(),
        start: '09:00',
        end: '10:00',
        status: 'cancelled',
      }),
    async awayDate() {
      const date = freeDate();
      await buildAbsence(db, { therapist: clinic.lin, date });
      return date;
    },
    async backDate() {
      const date = freeDate();
      await buildAbsence(db, { therapist: clinic.lin, date });
      await db
        .updateTable('absence')
        .set({ withdrawn_at: new Date().toISOString() })
        .where('date', '=', isoDate(date))
        .execute();
      return date;
    },
    ownSession: () =>
      buildAppointment(db, {
        therapist: clinic.max,
        client: clinic.mo,
        date: freeDate(),
        start: '11:00',
        end: '12:00',
      }),
    async ownPair() {
      const given = half;
      half = undefined;
      if (given) return given;
      const date = freeDate();
      const session = (therapist: string, client: string, start: string, end: string) =>
        buildAppointment(db, { therapist, client, date, start, end });
      half = [
        await session(clinic.kai, clinic.bo, '09:00', '10:00'),
        await session(clinic.lin, clinic.mo, '11:00', '12:00'),
      ];
      return half;
    },
    appointment: clinic.moAfternoon,
    ownProgram: () => buildServiceAccount(db, { scopes: ['fhir.read'] }),
    async ownWebhook() {
      const { id } = await db
        .insertInto('webhook')
        .values({
          url: 'https://hooks.example/',
          events: ['day.changed'],
          locations: null,
          secret: 'whsec_AAAA',
          after_xid: '0',
          after_id: '0',
          made_at: new Date().toISOString(),
        })
        .returning('id')
        .executeTakeFirstOrThrow();
      return id;
    },
    ownTherapist: () => buildTherapist(db, { last: `Own${++number}` }),
    async ownReport() {
      const date = freeDate();
      const { id } = await db
        .insertInto('absence_report')
        .values({
          therapist_id: clinic.lin,
          first_date: date,
          first_minute: 0,
          last_date: date,
          last_minute: 1440,
          cause: 'sick' as const,
          reported_at: new Date().toISOString(),
        })
        .returning('id')
        .executeTakeFirstOrThrow();
      return id;
    },
    async ownInvitation() {
      const therapist_id = await buildTherapist(db, { last: `Invited${++number}` });
      const now = Date.now();
      const times = { invited_at: isoAt(now), expires_at: isoAt(now + 60_000) };
      const row = { therapist_id, email: `link${number}@clinic.example`, secret_hash: randomBytes(32), ...times };
      const { id } = await db.insertInto('invitation').values(row).returning('id').executeTakeFirstOrThrow();
      return id;
    },
    number: () => ++number,
  };
}
