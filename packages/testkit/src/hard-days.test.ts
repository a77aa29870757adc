import { parseProblem } from '@clinic/cover-engine';
import { expect, test } from 'vitest';
import { hardDays } from './index.ts';

const days = hardDays();
const kinds = [...new Set(days.map((d) => d.kind))];

test('there are at least 200 hard days of many kinds, no two alike', () => {
  expect(days.length).toBeGreaterThanOrEqual(200);
  expect(kinds.length).toBeGreaterThan(12);
  expect(new Set(days.map((d) => `${d.kind} ${d.seed}`)).size).toBe(days.length);
});

test.each(kinds)('given a hard day (%s), the engine can read it, and the same seed gives the same day', (kind) => {
  const [first, second] = days.filter((d) => d.kind === kind);
  const problem = first!.problem();
  expect(parseProblem(problem).ok).toBe(true);
  expect(JSON.stringify(first!.problem())).toBe(JSON.stringify(problem));
  expect(JSON.stringify(second!.problem())).not.toBe(JSON.stringify(problem));
  expect(problem.absences.length).toBeGreaterThan(1);
});

test('each hard day has the feature that its kind is named for', () => {
  const dayOf = (kind: string) => days.find((d) => d.kind === kind)!.problem();
  expect(new Set(dayOf('one credential').therapists.map((t) => t.credential)).size).toBe(1);
  for (const c of dayOf('only strangers').clients) expect(c.knows).toEqual({});
  for (const c of dayOf('tiny care teams').clients) expect(Object.keys(c.knows ?? {}).length).toBeLessThan(3);
  expect(dayOf('caps of zero').therapists.filter((t) => t.cap === 0).length).toBeGreaterThan(15);
  const long = dayOf('sessions of six hours').sessions.filter((s) => s.start === '09:00' && s.end === '15:00');
  expect(long.length).toBeGreaterThan(10);
  const open = dayOf('most sessions unassigned').sessions.filter((s) => s.therapist === null);
  expect(open.length).toBeGreaterThan(15);
  const blocks = dayOf('blocks');
  expect(new Set(blocks.therapists.map((t) => String(t.available)))).toEqual(new Set(['08:00,17:00']));
  const late = dayOf('snow').absences.filter((a) => a.start === '00:00' && a.end <= '11:00' && a.who.startsWith('T'));
  expect(late.length).toBeGreaterThan(10);
  expect(dayOf('now in sessions').now).toBe('10:38');
  const { therapists: team, sessions, absences } = dayOf('floaters');
  expect(team.filter((t) => sessions.every((s) => s.therapist !== t.id)).length).toBeGreaterThanOrEqual(5);
  expect(absences.length).toBeGreaterThan(3);
  const leads = dayOf('BCBAs away');
  const away = new Set(leads.absences.map((a) => a.who));
  expect(leads.therapists.filter((t) => t.credential === 'BCBA' && away.has(t.id)).length).toBeGreaterThan(1);
  const reliefs = dayOf('lunch reliefs').sessions.filter((s) => s.start >= '12:00' && s.end <= '13:00');
  expect(reliefs.length).toBeGreaterThan(8);
  expect(new Set(dayOf('split sites').clients.map((c) => String(c.needs))).size).toBe(2);
  expect(dayOf('new therapists').therapists.filter((t) => t.onlyKnown).length).toBeGreaterThan(5);
});
