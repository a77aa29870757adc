// This file is over 250 lines because it follows causes through every way of recording them.
import { beforeEach, expect, test } from 'vitest';
import { compareNames, LOSS_SIDES } from '@clinic/domain';
import {
  MOST_CAUSES,
  type ActionsReply,
  type Cause,
  type LossBody,
  type SlotsReply,
  type TodayReply,
} from '@clinic/contract';
import { buildAbsence, buildAppointment } from '../../testing/builders.ts';
import { detailOf, everyone, saveAbsences, submit, submitBody } from '../../testing/calls.ts';
import { buildCoverApp } from '../../testing/cover-app.ts';
import { buildSmallClinic, DATE, type SmallClinic } from '../../testing/small-clinic.ts';
import type { SignedIn } from '../../testing/test-app.ts';
import { useApp } from '../../testing/use-app.ts';
import { waitsOrReplied } from '../../testing/waits.ts';

let admin: SignedIn;
let clinic: SmallClinic;
// 7:30 AM at the clinic, on the day before the one that the small test clinic plans.
const NOW = '2030-11-21T12:30:00Z';

const t = useApp(
  () => buildCoverApp({ deps: { clock: { now: () => Date.parse(NOW) } } }),
  async () => {
    admin = await t.signIn({ role: 'admin' });
    clinic = await buildSmallClinic(t.deps.db);
  },
);
beforeEach(async () => {
  await t.deps.db.updateTable('absence').set({ withdrawn_at: NOW }).where('withdrawn_at', 'is', null).execute();
});

const slots = async (): Promise<SlotsReply> => {
  const reply = await t.staff.call({ method: 'GET', url: `/api/slots?location=altamonte&date=${DATE}` });
  return reply.json<SlotsReply>();
};
const today = async (): Promise<TodayReply> => {
  const reply = await t.staff.call({ method: 'GET', url: `/api/today?location=altamonte&date=${DATE}` });
  return reply.json<TodayReply>();
};
const say = (who: SignedIn, what: 'absences' | 'appointments', key: string, payload: LossBody) =>
  who.call({ method: 'PUT', url: `/api/${what}/${key}/cause`, payload });
const saved = async (loss?: LossBody, window = {}) => {
  const query = { therapist: 'Ana Ruiz', date: DATE, ...window };
  const reply = await saveAbsences(t.staff, [loss === undefined ? query : { ...query, loss }]);
  expect(reply.statusCode, reply.body).toBe(200);
  return (await slots()).absences.find((absence) => absence.name === 'Ana Ruiz');
};
const idIn = (reply: { json: <T>() => T }, label: string): string =>
  reply.json<Cause[]>().find((cause) => cause.label === label)?.id ?? '';
const trail = async (action: string) =>
  (await t.deps.db.selectFrom('audit').select('detail').where('action', '=', action).execute()).map((r) => r.detail);

test('a saved absence shows who caused it, when it became known, and its cause if one was entered', async () => {
  expect((await saved())?.loss).toEqual({
    cause: null,
    label: null,
    lost_by: 'therapist',
    known: '2030-11-21T07:30',
    // The first session begins 25 hours after this notice, at 8:30.
    late: false,
  });
  expect((await saved({ cause: 'sick' }))?.loss).toMatchObject({ cause: 'sick', label: 'Sick', lost_by: 'therapist' });
  expect((await saved({ cause: 'weather' }))?.loss).toMatchObject({ lost_by: 'clinic' });
  for (const lost_by of LOSS_SIDES)
    expect((await saved({ cause: 'weather', lost_by }))?.loss).toMatchObject({ lost_by });
  expect(await trail('cause.said')).toContainEqual({ date: DATE, cause: 'weather' });
});

test('given an absence saved again with a shorter window and no cause, it keeps its cause and the time when it became known', async () => {
  await saved({ cause: 'sick', known: '2030-11-21T20:00' });
  const shorter = await saved(undefined, { begin: '08:00', end: '10:00' });
  expect(shorter?.loss).toMatchObject({ cause: 'sick', known: '2030-11-21T20:00', late: true });
});

test('notice is late if it comes less than 24 hours before the first session that the absence affects', async () => {
  expect((await saved({ cause: 'sick', known: '2030-11-21T08:30' }))?.loss?.late).toBe(false);
  expect((await saved({ cause: 'sick', known: '2030-11-21T08:31' }))?.loss?.late).toBe(true);
});

test('the Today page lists an absence until a cause is recorded, and again once the cause is removed', async () => {
  const cancelled = await buildAppointment(t.deps.db, {
    therapist: clinic.lin,
    client: clinic.ida,
    date: DATE,
    start: '09:00',
    end: '10:00',
    status: 'cancelled',
  });
  // Mo's absence explains this no-show, so Today does not list it.
  await buildAppointment(t.deps.db, {
    therapist: clinic.max,
    client: clinic.mo,
    date: DATE,
    start: '10:00',
    end: '11:00',
    status: 'noshow',
  });
  const away = await buildAbsence(t.deps.db, { client: clinic.mo, date: DATE, start: '10:30', end: '12:00' });
  const names = async () => (await today()).not_said.map(({ kind, name, start }) => `${kind} ${name} ${start}`);
  expect(await names()).toEqual(['session Ida Fox 09:00', 'absence Mo Diaz 10:30']);
  expect((await say(t.staff, 'appointments', cancelled, { cause: 'no-show' })).statusCode).toBe(204);
  expect((await say(t.staff, 'absences', away, { cause: 'sick' })).statusCode).toBe(204);
  expect(await names()).toEqual([]);
  expect((await say(t.staff, 'absences', away, { cause: null })).statusCode).toBe(204);
  expect(await names()).toEqual(['absence Mo Diaz 10:30']);
});

test('given a session cancelled with a cause, the session shows the cause; once scheduled again, it has no cause', async () => {
  const key = await buildAppointment(t.deps.db, {
    therapist: clinic.kai,
    client: clinic.ida,
    date: DATE,
    start: '15:00',
    end: '16:00',
  });
  const loss = { cause: 'leave', known: '2030-11-22T10:00' };
  const reply = await t.staff.call({ method: 'POST', url: `/api/appointments/${key}/cancel`, payload: { loss } });
  expect(reply.statusCode, reply.body).toBe(200);
  const shown = (await slots()).appointments.find((a) => a.key === key);
  expect(shown?.loss).toEqual({
    cause: 'leave',
    label: 'Leave',
    lost_by: 'family',
    known: '2030-11-22T10:00',
    late: true,
  });
  const body = {
    location: 'altamonte',
    client: 'Ida Fox',
    therapist: 'Kai Wood',
    date: DATE,
    start: '15:00',
    end: '16:00',
    subject: 'Direct Therapy',
  };
  const put = (more: object) =>
    t.staff.call({ method: 'PUT', url: `/api/appointments/${key}`, payload: { ...body, ...more } });
  expect((await put({ status: 'No Show', loss: { cause: 'sick' } })).statusCode).toBe(200);
  const row = () => t.deps.db.selectFrom('appointment').selectAll().where('id', '=', key).executeTakeFirstOrThrow();
  expect(await row()).toMatchObject({ cause_id: 'sick', status: 'noshow', known_at: '2030-11-22 10:00:00' });
  expect((await put({ status: 'Scheduled' })).statusCode).toBe(200);
  expect(await row()).toMatchObject({ cause_id: null, lost_by: null, known_at: null });
});

test('the workbook states the cause in words, and no line of the call list mentions it', async () => {
  const reply = await saveAbsences(t.staff, [{ therapist: 'Ana Ruiz', date: DATE, loss: { cause: 'sick' } }]);
  const done = await submit(t.staff, submitBody(reply.json(), everyone(reply.json())), { accept: 'application/json' });
  expect(done.statusCode, done.body).toBe(200);
  const report = done.json<ActionsReply>();
  expect(report.actions.map((action) => action.reason)).toEqual(['Ana Ruiz is away (sick)']);
  expect(JSON.stringify([report.calls, report.by_therapist, report.uncovered])).not.toMatch(/sick/i);
});

test('an administrator adds, rewords and removes causes; a cause in use is retired and stays on its absences', async () => {
  const list = async (who: SignedIn, method: 'POST' | 'PUT' | 'DELETE', path = '', payload?: object) =>
    who.call({ method, url: `/api/causes${path}`, ...(payload ? { payload } : {}) });
  expect((await list(t.staff, 'POST', '', { label: 'Flood', lost_by: null })).statusCode).toBe(403);
  const added = await list(admin, 'POST', '', { label: 'Flood', lost_by: 'clinic' });
  expect(added.statusCode, added.body).toBe(201);
  const version = expect.any(String) as unknown;
  const id = idIn(added, 'Flood');
  expect(added.json<Cause[]>()).toContainEqual({
    id,
    label: 'Flood',
    lost_by: 'clinic',
    retired: false,
    version,
  });
  expect((await list(admin, 'POST', '', { label: 'flood', lost_by: null })).statusCode).toBe(409);
  expect((await list(admin, 'PUT', `/${id}`, { label: 'Sick', lost_by: null })).statusCode).toBe(409);
  expect((await list(admin, 'PUT', '/none', { label: 'None', lost_by: null })).statusCode).toBe(404);
  expect((await list(admin, 'DELETE', '/none')).statusCode).toBe(404);
  await saved({ cause: id });
  const retired = await list(admin, 'DELETE', `/${id}`);
  expect(retired.json<Cause[]>().at(-1)).toMatchObject({ id, label: 'Flood', retired: true });
  expect((await slots()).absences.find((a) => a.name === 'Ana Ruiz')?.loss?.label).toBe('Flood');
  const reworded = await list(admin, 'PUT', `/${id}`, { label: 'High water', lost_by: 'clinic' });
  expect(reworded.json<Cause[]>()).toContainEqual({
    id,
    label: 'High water',
    lost_by: 'clinic',
    retired: false,
    version,
  });
  const unused = idIn(await list(admin, 'POST', '', { label: 'Never used', lost_by: null }), 'Never used');
  expect((await list(admin, 'DELETE', `/${unused}`)).json<Cause[]>().map((c) => c.id)).not.toContain(unused);
  // A page that is still open, or a remembered answer of an import, must not mean the new cause by the old one's id.
  const again = idIn(await list(admin, 'POST', '', { label: 'Never used', lost_by: null }), 'Never used');
  expect(again).not.toBe(unused);
});

test('two labels that look the same are one cause, even when saved at the same moment', async () => {
  const add = (label: string) => admin.call({ method: 'POST', url: '/api/causes', payload: { label, lost_by: null } });
  expect((await add('\u200b \u00ad')).statusCode).toBe(422);
  expect((await add('Power\ncut')).statusCode).toBe(422);
  const [first] = (await add('\u200bİlaç  yok')).json<Cause[]>().filter(({ label }) => label === 'İlaç yok');
  expect(first?.id).toMatch(/^ilac-yok-/);
  for (const same of ['i\u0307laç yok', 'İLAÇ\u00a0YOK', 'İlaç yok\u2060'])
    expect((await add(same)).statusCode).toBe(409);
  const twice = await Promise.all([add('Straße zu'), add('STRASSE ZU')]);
  expect(twice.map(({ statusCode }) => statusCode).sort()).toEqual([201, 409]);
  // These labels differ only in marks, which ids do not have.
  for (const other of ['Bus!', 'Bus?', 'Bus;']) expect((await add(other)).statusCode).toBe(201);
});

test('causes are sorted alphabetically, and there is a limit to their number', async () => {
  const add = (label: string) => admin.call({ method: 'POST', url: '/api/causes', payload: { label, lost_by: null } });
  const list = (await add('Élan')).json<Cause[]>();
  const labels = list.flatMap(({ label, retired }) => (retired ? [] : [label]));
  expect(labels).toEqual(labels.toSorted(compareNames));
  const more = Array.from({ length: MOST_CAUSES - list.length - 1 }, (_, n) => ({
    id: `more-${n}`,
    label: `More ${n}`,
  }));
  await t.deps.db.insertInto('cause').values(more).execute();
  expect((await add('The last')).statusCode).toBe(201);
  const refused = await add('One too many');
  expect([refused.statusCode, detailOf(refused)]).toEqual([422, expect.stringMatching(/100 reasons, the maximum/)]);
  await t.deps.db.deleteFrom('cause').where('id', 'like', 'more-%').execute();
});

test('an unknown cause is refused and nothing is stored; an account at another location may not record a cause', async () => {
  const reply = await saveAbsences(t.staff, [{ therapist: 'Ana Ruiz', date: DATE, loss: { cause: 'bored' } }]);
  expect(reply.statusCode).toBe(422);
  expect(detailOf(reply)).toMatch(/no such reason/);
  expect((await slots()).absences.filter((a) => a.name === 'Ana Ruiz')).toEqual([]);
  const away = await buildAbsence(t.deps.db, { therapist: clinic.kai, date: DATE });
  const tampa = await t.signIn({ locations: ['tampa'] });
  expect((await say(tampa, 'absences', away, { cause: 'sick' })).statusCode).toBe(403);
  expect((await say(t.staff, 'appointments', away, { cause: 'sick' })).statusCode).toBe(404);
  expect((await say(t.staff, 'absences', clinic.boMorning, { cause: 'sick' })).statusCode).toBe(404);
});

test('given a person who gets another window while the cause of the first is recorded, each window has its own cause', async () => {
  const away = (await saved(undefined, { begin: '09:00', end: '10:00' }))?.id ?? '';
  const sent = await t.db.transaction().execute(async (trx) => {
    await trx.selectFrom('absence').select('id').where('id', '=', away).forUpdate().execute();
    const said = say(t.staff, 'absences', away, { cause: 'sick' });
    expect(await waitsOrReplied(t.deps.pool, [said])).toBe(true);
    const more = { therapist: 'Ana Ruiz', date: DATE, begin: '12:00', end: '13:00', replaces: false };
    const longer = saveAbsences(t.staff, [more]);
    await waitsOrReplied(t.deps.pool, [said, longer], 2);
    return { said, longer };
  });
  expect([(await sent.said).statusCode, (await sent.longer).statusCode]).toEqual([204, 200]);
  const all = (await slots()).absences.filter(({ name }) => name === 'Ana Ruiz');
  expect(all.map(({ loss }) => loss?.cause)).toEqual(['sick', null]);
});
