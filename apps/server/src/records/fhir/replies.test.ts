import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Bundle, FhirResource } from 'fhir/r4.js';
import { beforeAll, expect, test } from 'vitest';
import { buildAppointment, buildTherapist } from '../../testing/builders.ts';
import { openProgram, type Program } from '../../testing/service-account.ts';
import { buildSmallClinic, DATE } from '../../testing/small-clinic.ts';
import { buildTestApp } from '../../testing/test-app.ts';
import { useApp } from '../../testing/use-app.ts';

/** A folder for one reply of each kind, which HL7's own validator reads (`npm run soak -- fhir`). */
const FOLDER = process.env['FHIR_REPLIES'];

let program: Program;
const replies = new Map<string, FhirResource>();
const t = useApp(() => buildTestApp({ config: { clock: '2030-11-21T12:00:00Z' } }));

beforeAll(async () => {
  const clinic = await buildSmallClinic(t.db);
  const odd = await buildTherapist(t.db, {
    id: 'T 9/é',
    location: 'palm beach',
    specialization: 'BCBA',
    lastDay: '2031-01-01',
  });
  const at = { client: clinic.ida, therapist: clinic.max, start: '09:00', end: '10:00' } as const;
  for (const [n, status] of (
    ['pending', 'booked', 'fulfilled', 'cancelled', 'noshow', 'entered-in-error'] as const
  ).entries())
    await buildAppointment(t.db, { ...at, date: `2030-12-0${n + 2}`, status });
  await buildAppointment(t.db, { ...at, date: DATE, therapist: null });
  await buildAppointment(t.db, {
    date: DATE,
    client: null,
    therapist: odd,
    location: 'palm beach',
    start: '22:00',
    end: '24:00',
  });
  await t.db.updateTable('therapist').set({ deleted_at: '2030-01-01' }).where('id', '=', clinic.max).execute();
  program = await openProgram(t.opened);
  const keep = async (
    name: string,
    path: string,
    headers: Record<string, string> = {},
    by: Pick<Program, 'call'> = program,
  ) => replies.set(name, (await by.call({ url: `/fhir/r4/${path}`, headers })).json<FhirResource>());
  await keep('metadata', 'metadata');
  for (const type of ['Appointment', 'Schedule', 'Slot', 'Practitioner', 'PractitionerRole', 'Location']) {
    await keep(`${type}-search`, `${type}?_count=100`);
    await keep(`${type}-page`, `${type}?_count=1`);
    await keep(`${type}-none`, `${type}?_id=none`);
  }
  await keep('Patient-search', `Patient?_id=${clinic.bo},${clinic.mo}`);
  for (const [name, reply] of [...replies]) {
    if (reply.resourceType !== 'Bundle' || !name.endsWith('-search')) continue;
    for (const [n, { resource }] of (reply.entry ?? []).entries())
      if (resource) await keep(`${name}-${n}`, `${resource.resourceType}/${resource.id ?? ''}`);
  }
  const nobody = { call: (options: { url: string }) => t.app.inject(options) } as Pick<Program, 'call'>;
  await keep('refused-401', 'Appointment', {}, nobody);
  await keep('refused-403', 'Appointment', {}, t.staff);
  await keep('refused-404', 'Appointment/none');
  await keep('refused-400', 'Appointment?date=soon');
  await keep('refused-strict', 'Appointment?color=red', { prefer: 'handling=strict' });
  await keep('refused-406', 'Appointment?_format=xml');
  await keep('refused-unknown', 'Encounter/1');
  if (FOLDER === undefined) return;
  mkdirSync(FOLDER, { recursive: true });
  for (const [name, reply] of replies)
    writeFileSync(join(FOLDER, `${name}.json`), `${JSON.stringify(reply, null, 2)}\n`);
});

/** All values of a property, at any depth. */
function valuesOf(value: unknown, property: string): unknown[] {
  if (Array.isArray(value)) return value.flatMap((each) => valuesOf(each, property));
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries<unknown>({ ...value }).flatMap(([key, each]) => [
    ...(key === property ? [each] : []),
    ...valuesOf(each, property),
  ]);
}

test('each reply names a type, and every reference in it leads to a resource that the same program may read', async () => {
  expect(replies.size).toBeGreaterThan(60);
  const references = new Set<string>();
  for (const [name, reply] of replies) {
    expect([name, typeof reply.resourceType]).toEqual([name, 'string']);
    for (const reference of valuesOf(reply, 'reference')) references.add(String(reference));
  }
  expect(references.size).toBeGreaterThan(10);
  for (const reference of references)
    expect([reference, (await program.call({ url: `/fhir/r4/${reference}` })).statusCode]).toEqual([reference, 200]);
});

test('ids, instants and versions are written as FHIR allows them, and nothing is empty', () => {
  for (const [name, reply] of replies) {
    for (const id of valuesOf(reply, 'id'))
      expect([name, id]).toEqual([name, expect.stringMatching(/^[A-Za-z0-9.-]{1,64}$/)]);
    const times = [...valuesOf(reply, 'start'), ...valuesOf(reply, 'end')].filter((each) => String(each).includes('T'));
    for (const at of times)
      expect([name, at]).toEqual([name, expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:Z|[+-]\d\d:\d\d)$/)]);
    expect([name, JSON.stringify(reply)]).not.toEqual([name, expect.stringMatching(/:(?:\[\]|\{\}|null|"")/)]);
  }
});

test('what a search returns is what a read of each returns', () => {
  const search = [...replies].filter(([name]) => name.endsWith('-search'));
  expect(search).toHaveLength(7);
  for (const [name, reply] of search)
    for (const [n, { resource, fullUrl }] of ((reply as Bundle).entry ?? []).entries()) {
      expect([name, replies.get(`${name}-${n}`)]).toEqual([name, resource]);
      expect(fullUrl).toBe(`http://localhost/fhir/r4/${resource?.resourceType}/${resource?.id}`);
    }
});
