import pg from 'pg';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import type { InjectOptions } from 'fastify';
import type { ProposalReply } from '@clinic/contract';
import { submitBody } from '@clinic/testkit';
import { addDays, isoDate, mondayOf, type IsoDate } from '@clinic/domain';
import type { DeskWork } from '../testing/desk-work.ts';
import { openPastClinic, type PastClinic } from '../testing/past-clinic.ts';
import type { SignedIn } from '../testing/test-app.ts';
import { LASTING } from './testing/doses.ts';

/** How many therapists each location of the small and of the large clinic has. */
const THERAPISTS = [2, 12];
const DAYS = 12;

const clinics: PastClinic[] = [];
const sent = vi.spyOn(pg.Client.prototype, 'query'); // before any connection is made, since each keeps the function

beforeAll(async () => {
  for (const therapists of THERAPISTS) {
    const config = { ...LASTING, logLevel: 'error', solverSeconds: 60 } as const;
    clinics.push(await openPastClinic({ days: DAYS, therapists, stay: 24 }, 6, config));
  }
}, 600_000);
afterAll(async () => {
  sent.mockRestore();
  for (const { close } of clinics) await close();
});

/** Sends a request, and counts the statements that it sends to the database. */
async function statements(
  by: SignedIn,
  name: string,
  request: InjectOptions,
): Promise<{ count: number; body: string }> {
  sent.mockClear();
  const reply = await by.call(request);
  const texts = sent.mock.calls.map(([query]: unknown[]) =>
    typeof query === 'string' ? query : (query as { text: string }).text,
  );
  expect(reply.statusCode, `${name}: ${reply.body.slice(0, 300)}`).toBeLessThan(400);
  // How long a reply takes decides whether the server asks if the database still works on it.
  return { count: texts.filter((text) => !text.includes('transaction_read_only')).length, body: reply.body };
}

/** A few statements depend on chance: whether the end of a chain of the trail is known. */
const CHANCE = 3;

test('given a clinic with six times as many therapists, a request sends no more statements', async () => {
  const found: string[] = [];
  for (const [index, { name }] of (clinics[0] as PastClinic).work.entries()) {
    const counts: number[] = [];
    for (const { who, work } of clinics) {
      const own = work[index] as DeskWork;
      const request = await own.prepare(1);
      counts.push((await statements(own.as ?? who, name, request)).count);
    }
    const [few = 0, many = 0] = counts;
    if (many > few + CHANCE) found.push(`${name}: ${few} statements, ${many} in the large clinic`);
  }
  expect(found).toEqual([]);
}, 300_000);

test('given seven therapists away instead of one, saving, submitting and calling send no more statements', async () => {
  const { who } = clinics[1] as PastClinic;
  const monday = mondayOf(addDays(isoDate(new Date().toISOString().slice(0, 10)), 14));
  const morning = async (date: IsoDate, away: number): Promise<Record<string, number>> => {
    const absent = {
      type: 'therapist_cancel',
      date,
      begin: '08:00',
      end: '23:59',
      location: 'altamonte',
      replaces: true,
    };
    const queries = Array.from({ length: away }, (_, n) => ({ ...absent, therapist: `Thea N1x${n + 3}` }));
    const at = `location=altamonte&date=${date}`;
    const payload = { location: 'altamonte', date, queries };
    const saved = await statements(who, 'save', { method: 'POST', url: '/api/api/scheduler/process', payload });
    const submit = submitBody(JSON.parse(saved.body) as ProposalReply);
    const counts: Record<string, number> = { save: saved.count };
    counts['submit'] = (
      await statements(who, 'submit', { method: 'POST', url: '/api/actions', payload: submit })
    ).count;
    for (const list of ['calls', 'today', 'slots', 'calls/plan-b'])
      counts[list] = (await statements(who, list, { method: 'GET', url: `/api/${list}?${at}` })).count;
    return counts;
  };
  const one = await morning(monday, 1);
  const seven = await morning(addDays(monday, 1), 7);
  expect(Object.keys(one).filter((name) => seven[name]! > one[name]! + CHANCE)).toEqual([]);
}, 300_000);
