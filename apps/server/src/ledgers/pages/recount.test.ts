import { expect, test } from 'vitest';
import type {
  AuthorizationsReply,
  CareReply,
  HoursReply,
  ReportReply,
  ReportSessions,
  SupervisionReply,
  TodayReply,
} from '@clinic/contract';
import { REPORT_FIGURES } from '@clinic/contract';
import { addDays, isoDate, type IsoDate, type Location } from '@clinic/domain';
import { buildCoverApp } from '../../testing/cover-app.ts';
import { DESK_MONDAY, DESK_PLACES, RandomDesk } from '../../testing/random-desk.ts';
import { Recount, type RecountedRow } from '../../testing/recount.ts';
import type { SignedIn } from '../../testing/test-app.ts';
import { doseOf, keepFigures, timeLimit } from '../../reliability/testing/doses.ts';

/** The clinic's seed, and how many acts it has: `npm run soak -- recount` tries many. */
const SEED = Number(process.env['SEED'] ?? 4);
const ACTS = doseOf('recount');
/** 10:05 AM at the clinic on the Wednesday of the third week. */
const NOW = { date: isoDate('2026-11-18'), minute: 605 };
const LAST = addDays(DESK_MONDAY, 27);
/** Today, the first and the last days, and dates whose weeks, months and four weeks begin elsewhere. */
const DATES = [DESK_MONDAY, addDays(DESK_MONDAY, 15), NOW.date, addDays(NOW.date, 5), addDays(LAST, 2)];

/** Compares what pages show with the recount. */
class Pages {
  private readonly staff: SignedIn;
  private readonly desk: RandomDesk;
  private readonly recount: Recount;
  private readonly told: string;

  constructor(staff: SignedIn, desk: RandomDesk, recount: Recount, told: string) {
    [this.staff, this.desk, this.recount, this.told] = [staff, desk, recount, told];
  }

  private async get<T>(url: string): Promise<T> {
    const reply = await this.staff.call({ url: `/api/${url}` });
    expect(reply.statusCode, reply.body).toBe(200);
    return reply.json<T>();
  }

  async compareLedgers(location: Location, date: IsoDate): Promise<void> {
    const { recount, desk } = this;
    const [say, at] = [`${this.told}, ${location} ${date}`, `location=${location}&date=${date}`];
    for (const own of (await this.get<HoursReply>(`ledgers/hours?${at}`)).rows) {
      const { booked, worked, cover_7, cover_28 } = own;
      expect({ booked, worked, cover_7, cover_28 }, `hours: ${say} ${own.name}`).toEqual(recount.hours(own.id, date));
    }
    for (const own of (await this.get<SupervisionReply>(`ledgers/supervision?${at}`)).rows) {
      const { direct, done, ahead, contacts, contacts_ahead } = own;
      const found = { direct, done, ahead, contacts, contacts_ahead };
      const counted = recount.supervision(own.id, date, (id) => desk.isBcba(id));
      expect(found, `supervision: ${say} ${own.name}`).toEqual(counted);
    }
    const used = recount.authorizations(date);
    const { rows } = await this.get<AuthorizationsReply>(`ledgers/authorizations?${at}`);
    for (const { id, name, delivered } of rows) expect(delivered, `authorization: ${say} ${name}`).toBe(used.get(id));
    for (const own of (await this.get<CareReply>(`ledgers/care?${at}`)).rows) {
      const is = (row: RecountedRow): boolean =>
        row.client === own.id && addDays(date, -28) <= row.date && row.date < date;
      const { total, causes } = recount.report(is);
      const { booked, delivered: kept, lost, made_up, billable } = own;
      const counted = { booked: total.booked, kept: total.kept, lost: total.lost, made_up: total.made_up };
      expect({ booked, kept, lost, made_up, billable }, `care: ${say} ${own.name}`).toEqual({
        ...counted,
        billable: recount.billable(is),
      });
      expect(new Map(own.lost_by.map(({ cause, minutes }) => [cause ?? '', minutes]))).toEqual(causes);
    }
    for (const day of (await this.get<TodayReply>(`today?${at}`)).week) {
      const { booked, kept, lost, open } = recount.report(
        (row) => row.location === location && row.date === day.date,
      ).total;
      expect(day, `Today: ${say}`).toEqual({ date: day.date, booked, kept, lost, open });
    }
  }

  async compareReport(location: Location | null, from: IsoDate, to: IsoDate): Promise<void> {
    const say = `report: ${this.told}, ${location} ${from} ${to}`;
    const range = `from=${from}&to=${to}${location === null ? '' : `&location=${location}`}`;
    const { total, groups, cover } = await this.get<ReportReply>(`reports?${range}`);
    const is = (row: RecountedRow): boolean =>
      (location === null || row.location === location) && from <= row.date && row.date <= to;
    const counted = this.recount.report(is);
    const own = { worked: counted.worked, billable: this.recount.billable(is), late: this.recount.late(is) };
    expect(total, say).toMatchObject({ ...counted.total, ...own });
    const lost = (by: 'cause' | 'side') => new Map(groups[by].map((group) => [group.key, group.lost]));
    expect([lost('cause'), lost('side')], say).toEqual([counted.causes, counted.sides]);
    for (const figure of REPORT_FIGURES) {
      for (const by of ['location', 'client', 'therapist', 'weekday', 'day'] as const)
        expect(sum(groups[by].map((group) => group[figure])), `${say} ${by} ${figure}`).toBe(total[figure]);
      const behind = await this.get<ReportSessions>(`reports/sessions?${range}&by=total&figure=${figure}`);
      expect(sum(behind.sessions.map(({ minutes }) => minutes)), `${say} behind ${figure}`).toBe(total[figure]);
    }
    expect(sum(groups.therapist.map(({ worked = 0 }) => worked)), say).toBe(counted.worked);
    const load = this.desk.therapists
      .filter((each) => location === null || each.location === location)
      .map(({ id }) => counted.cover.get(id) ?? 0)
      .sort((a, b) => b - a);
    expect([cover.most?.minutes, cover.least?.minutes], say).toEqual([load[0], load.at(-1)]);
  }
}

const sum = (list: readonly number[]): number => list.reduce((all, n) => all + n, 0);

test(
  'given the random acts of a desk at two locations, then ledgers, Today and reports match an independent count of the rows, minute by minute',
  async () => {
    const began = performance.now();
    const done = new Map<string, number>();
    // The clock stands still: on a busy machine the acts take more than a minute.
    const t = await buildCoverApp({ deps: { clock: { now: () => Date.parse('2026-11-18T15:05:00Z') } } });
    const staff = await t.signIn({ role: 'admin' });
    const desk = new RandomDesk(t.deps.db, staff, SEED);
    await desk.open();
    for (let act = 1; act <= ACTS; act++) {
      const name = await desk.act();
      if (name !== null) done.set(name, (done.get(name) ?? 0) + 1);
      if (act % 60 !== 0) continue;
      const pages = new Pages(staff, desk, await Recount.of(t.deps.db, NOW), `seed ${SEED}, act ${act}`);
      for (const location of DESK_PLACES) for (const date of DATES) await pages.compareLedgers(location, date);
      for (const location of [...DESK_PLACES, null]) {
        await pages.compareReport(location, DESK_MONDAY, LAST);
        await pages.compareReport(location, addDays(NOW.date, -3), NOW.date);
      }
    }
    await t.close();
    keepFigures('recount', ACTS, began, { differences: 0 });
    // Another clinic's acts need not include a commit; those of the usual one do.
    if (process.env['SEED'] !== undefined) return;
    for (const name of ['book', 'group', 'two', 'move', 'cancel', 'away', 'withdraw', 'submit', 'undo', 'no', 'import'])
      expect(done.get(name) ?? 0, name).toBeGreaterThan(0);
  },
  timeLimit(ACTS, 3000),
);
