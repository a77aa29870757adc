/** One call settles all dates of a standing replacement that it speaks of. */
import { expect, test } from 'vitest';
import type { CallLine, CallsReply, SameLine, StandingReply } from '@clinic/contract';
import { isoDate, longDate } from '@clinic/domain';
import { fridayCoverApp } from '../../testing/cover-app.ts';
import { useApp } from '../../testing/use-app.ts';
import { buildWeeksClinic, type WeeksClinic } from '../../testing/weeks-clinic.ts';

const FROM = isoDate('2026-12-07');
let clinic: WeeksClinic;
let dates: readonly string[];
/** The first date whose lines speak of several dates. */
let first = '';
const app = useApp(fridayCoverApp, async ({ db }) => {
  clinic = await buildWeeksClinic(db, { seed: 7, therapists: 20, clients: 22, from: FROM, weeks: 6, history: 9 });
});

const get = async <T>(path: string, date: string): Promise<T> => {
  const reply = await app.staff.call({ url: `/api${path}?location=altamonte&date=${date}` });
  expect(reply.statusCode, reply.body).toBe(200);
  return reply.json<T>();
};
const linesOn = async (date: string): Promise<readonly CallLine[]> => (await get<CallsReply>('/calls', date)).lines;
const sameOn = (date: string) => get<readonly SameLine[]>('/calls/same', date);
const lineOn = async (date: string, { kind, id }: Pick<CallLine, 'kind' | 'id'>): Promise<CallLine | undefined> =>
  (await linesOn(date)).find((line) => line.kind === kind && line.id === id);
const answer = (date: string, { kind, id, version }: Pick<CallLine, 'kind' | 'id' | 'version'>, more: object) =>
  app.staff.call({
    method: 'POST',
    url: '/api/calls/answer',
    payload: { location: 'altamonte', date, kind, id, version, before_yes: true, ...more },
  });

/** Gives a therapist's sessions to others for weeks; returns the lines of its first date that speak of more dates. */
async function replaced(): Promise<{ date: string; same: readonly SameLine[] }> {
  const payload = { location: 'altamonte', from: FROM, until: clinic.until, therapist: clinic.busiest };
  const reply = (await app.staff.call({ method: 'POST', url: '/api/standing', payload })).json<StandingReply>();
  const choice = Object.fromEntries(reply.children.map(({ id }) => [id, reply.options[0]?.name ?? '']));
  const done = await app.staff.call({
    method: 'POST',
    url: '/api/standing/commit',
    payload: { proposal: reply.proposal, choice },
  });
  expect(done.statusCode, done.body).toBe(200);
  dates = [...new Set(reply.children.flatMap(({ series }) => series.flatMap((each) => each.dates)))].sort();
  for (const each of dates) {
    first = each;
    const same = await sameOn(each);
    if (same.length > 0) return { date: each, same };
  }
  throw new Error('no line speaks of several dates');
}

/** Every date's lines. */
const lists = async (): Promise<ReadonlyMap<string, readonly CallLine[]>> => {
  const found = new Map<string, readonly CallLine[]>();
  for (const date of dates) found.set(date, await linesOn(date));
  return found;
};
const versionIn = (lines: readonly CallLine[] = [], { kind, id }: Pick<CallLine, 'kind' | 'id'>) =>
  lines.find((line) => line.kind === kind && line.id === id)?.version;

test('a line that says the same on later dates names them all; told once is told on each of them, and so is taking it back', async () => {
  const { date, same } = await replaced();
  const before = await lists();
  for (const each of same) {
    const wordsOn = (d: string): string => {
      const line = before.get(d)?.find(({ kind, id }) => kind === each.kind && id === each.id);
      return (line?.say ?? []).join(' ').replace(`${longDate(isoDate(d))}: `, '');
    };
    expect(each.say[0]).toMatch(/^(On|From) December \d/);
    expect(each.say.join(' ').endsWith(wordsOn(date))).toBe(true);
    // Whoever hears the joint line hears exactly what the lines of its dates say, and of no other date.
    const alike = dates.filter((d) => d > date && wordsOn(d) === wordsOn(date));
    expect(each.dates.map((d) => d.date)).toEqual(alike);
  }
  for (const kind of ['therapist', 'client']) {
    const each = same.find((line) => line.kind === kind);
    if (!each) throw new Error(`no ${kind} is told of several dates`);
    const also = each.dates;
    const named = new Set([date, ...also.map((d) => d.date)]);
    expect((await answer(date, each, { answer: 'told', also })).statusCode).toBe(200);
    expect((await answer(date, each, { answer: 'told', also })).statusCode, 'sent again').toBe(200);
    for (const [d, lines] of await lists())
      expect(versionIn(lines, each), d).toBe(named.has(d) ? undefined : versionIn(before.get(d), each));
    const back = await answer(date, { ...each, version: '' }, { answer: 'not-told', also });
    expect(back.statusCode, back.body).toBe(200);
    for (const [d, lines] of await lists()) expect(versionIn(lines, each), d).toBe(versionIn(before.get(d), each));
  }
});

test('if one of the dates has changed since, nobody is told of any; a no is for one date', async () => {
  const date = first;
  const [each] = await sameOn(date);
  if (!each) throw new Error('no line speaks of several dates');
  const also = each.dates.map((d, i) => (i === each.dates.length - 1 ? { ...d, version: 'older' } : d));
  expect((await answer(date, each, { answer: 'told', also })).statusCode).toBe(409);
  expect((await lineOn(date, each))?.version).toBe(each.version);
  for (const d of each.dates) expect((await lineOn(d.date, each))?.version).toBe(d.version);
  const no = await answer(date, each, { answer: 'said-no', no: { scope: 'today' }, also: each.dates });
  expect([no.statusCode, no.body]).toEqual([422, expect.stringContaining('one date at a time')]);
});

test('given a person told on one of the dates, then taking back the joint call leaves that one told', async () => {
  const date = first;
  const each = (await sameOn(date)).find((line) => line.dates.length > 1);
  if (!each) throw new Error('no line speaks of several dates');
  const [own, ...others] = each.dates;
  if (!own) throw new Error('no dates');
  await answer(own.date, { ...each, version: own.version }, { answer: 'told' });
  const joint = await answer(date, each, { answer: 'told', also: others });
  expect(joint.statusCode, joint.body).toBe(200);
  await answer(date, { ...each, version: '' }, { answer: 'not-told', also: others });
  expect(await lineOn(own.date, each)).toBeUndefined();
  expect((await lineOn(date, each))?.version).toBe(each.version);
});
