import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { DEFAULT_RULES, type Explanation, type ProposalReply } from '@clinic/contract';
import { saveRules } from '../ledgers/count/rules.ts';
import type { Db } from '../db/connection.ts';
import { buildAppointment, buildClient, buildTherapist, type AppointmentPlan, type TherapistPlan } from './builders.ts';
import { explainFirst, saveAbsences } from './calls.ts';
import { buildCoverApp } from './cover-app.ts';
import type { SignedIn, TestApp } from './test-app.ts';

/** A Wednesday, 19 days after the current date of these tests. */
export const DATE = '2026-12-09';

/** A day on which a rule of the trade changes the plan. */
interface TradeDay {
  /** Sets the day up without the rule, and returns a function that makes the rule apply. */
  readonly day: () => Promise<() => Promise<unknown>>;
  readonly away?: readonly string[];
  /** The therapist of each affected client, first without and then with the rule. */
  readonly without: string;
  readonly with: string;
  /** A sentence in the explanation, and the client whose session it explains (by default Bo Lee). */
  readonly why: string;
  readonly of?: string;
}

/** A clinic that is empty before each test, except that Ana has Bo from 9:00 to 11:00 and is away. */
class TradeScene {
  app!: TestApp;
  staff!: SignedIn;
  ana = '';
  bo = '';
  session = '';

  get db(): Db {
    return this.app.deps.db;
  }

  book = (therapist: string, client: string | null, plan: Partial<AppointmentPlan> = {}): Promise<string> =>
    buildAppointment(this.db, { therapist, client, date: DATE, start: '09:00', end: '11:00', ...plan });

  kai = (plan: TherapistPlan = {}): Promise<string> => buildTherapist(this.db, { first: 'Kai', last: 'Wood', ...plan });

  /** Adds Lou, who is a little more costly than Kai because of administrative time. */
  async lou(plan: TherapistPlan = {}): Promise<string> {
    const id = await buildTherapist(this.db, { first: 'Lou', last: 'Vance', ...plan });
    await this.book(id, null, { start: '10:00', end: '10:45' });
    return id;
  }

  /** Books a session too long ago to count as care, so that the client knows the therapist. */
  metBefore = (therapist: string, client: string): Promise<string> =>
    this.book(therapist, client, { date: '2026-10-28' });

  /** Books nine hours, in the last 28 days, that the therapist covered for Ana. */
  async coverMuch(therapist: string, start: string, end: string): Promise<void> {
    const other = await buildClient(this.db);
    for (const date of ['2026-12-02', '2026-11-25', '2026-11-18'])
      await this.book(therapist, other, { date, start, end, bookedTherapist: this.ana });
  }

  /** Books Mo at the same time as Bo. Mo knows Kai, the only therapist who could cover either session. */
  async oneForTwo(): Promise<string> {
    const lin = await buildTherapist(this.db, { first: 'Lin', last: 'Shaw' });
    const mo = await buildClient(this.db, { first: 'Mo', last: 'Diaz' });
    await this.book(lin, mo);
    await this.metBefore(await this.kai(), mo);
    return mo;
  }

  setTherapist = (id: string, to: Record<string, string | number>): Promise<unknown> =>
    this.db.updateTable('therapist').set(to).where('id', '=', id).execute();

  need = (must: boolean) => ({ client_id: this.bo, tag: 'Spanish', tag_key: 'spanish', must });

  /** Tests that each of these rules changes the plan of its day, and that the explanation says so. */
  test(days: Readonly<Record<string, TradeDay>>): void {
    test.each(Object.entries(days))(
      'given two days that differ only in %s, their plans differ too, and the explanation says why',
      async (_, day) => {
        const away = day.away ?? ['Ana Ruiz'];
        const apply = await day.day();
        expect(taken(await this.planFor(away))).toBe(day.without);
        await apply();
        const reply = await this.planFor(away);
        expect(taken(reply)).toBe(day.with);
        const why = await explainFirst(this.staff, reply, DATE, day.of ?? 'Bo Lee');
        expect(sentences(why)).toContain(day.why);
        if (why.excluded.length > 0) expect(why.excluded.reduce((n, { count }) => n + count, 0)).toBe(why.therapists);
      },
    );
  }

  private async planFor(away: readonly string[]): Promise<ProposalReply> {
    const reply = await saveAbsences(
      this.staff,
      away.map((therapist) => ({ therapist, date: DATE })),
    );
    expect(reply.statusCode, reply.body).toBe(200);
    return reply.json<ProposalReply>();
  }
}

/** For example `Bo Lee: Kai Wood`, sorted by client. */
const taken = ({ data }: ProposalReply): string =>
  Object.entries(data[DATE] ?? {})
    .map(([client, options]) => {
      const cells = Object.values(options['Option 1'] ?? {}).map((cell) => cell.therapist);
      return `${client}: ${[...new Set(cells)].join(' and ')}`;
    })
    .sort()
    .join(', ');

const sentences = (why: Explanation): string[] => [
  ...why.about,
  ...why.speaks_for,
  ...why.costs,
  ...[why.hours ?? [], why.next_best?.difference ?? []].flat(),
  ...why.excluded.map(({ reason }) => reason),
];

/** Opens the clinic for a file's tests, and empties it before each one. */
export function useTrade(): TradeScene {
  const scene = new TradeScene();
  beforeAll(async () => {
    scene.app = await buildCoverApp({ config: { clock: '2026-11-20T12:20:00Z' } });
    scene.staff = await scene.app.signIn();
  });
  afterAll(() => scene.app.close());
  beforeEach(async () => {
    await saveRules(scene.db, DEFAULT_RULES);
    for (const table of ['call_decline', 'appointment', 'absence', 'payer', 'therapist', 'client'] as const)
      await scene.db.deleteFrom(table).execute();
    scene.ana = await buildTherapist(scene.db, { first: 'Ana', last: 'Ruiz' });
    scene.bo = await buildClient(scene.db, { first: 'Bo', last: 'Lee' });
    scene.session = await scene.book(scene.ana, scene.bo);
  });
  return scene;
}
