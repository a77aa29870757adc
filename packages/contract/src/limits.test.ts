import * as z from 'zod/mini';
import { describe, expect, test } from 'vitest';
import { accountBodySchema, adminEndpoints } from './admin.ts';
import { authorizationSchema, MOST_AUTHORIZATIONS } from './authorizations.ts';
import { causesEndpoints, LONGEST_CAUSE } from './causes.ts';
import { contactSchema, MOST_CONTACTS } from './contacts.ts';
import { processBodySchema } from './plan/absences.ts';
import { answerBodySchema } from './tell/calls.ts';
import { actionsEndpoints } from './plan/commits.ts';
import { proposalsEndpoints, refreshBodySchema } from './plan/proposals.ts';
import { ledgersEndpoints } from './ledgers.ts';
import { ownAccountEndpoints } from './own-account.ts';
import { LONGEST_PASSKEY_NAME, newPasskeySchema, signedPasskeySchema } from './passkey-schemas.ts';
import { passkeyEndpoints } from './passkeys.ts';
import { SHORTEST_PASSWORD } from './passwords.ts';
import { clientBodySchema, therapistBodySchema } from './profiles.ts';
import { rulesSchema } from './rules.ts';
import { authEndpoints, LONGEST_PASSWORD } from './session.ts';
import { credentialSchema, LONGEST_TAG, MOST_TAGS, tagSchema } from './tags.ts';
import { tabSchema } from './wire.ts';

const x = (length: number): string => 'x'.repeat(length);
const list = <T>(length: number, each: T): T[] => Array.from({ length }, () => each);
const email = (length: number): string => {
  const labels = Array.from({ length: 4 }, () => x(50)).join('.');
  const start = `ann@${labels}.`;
  return `${start}${x(length - start.length - 4)}.com`;
};

const date = '2026-11-24';
const person = { first_name: 'Bo', last_name: 'Lee', gender: 'Male', location: 'tampa' };
const authorization = { payer: 'Sunshine', code: '97153', from_date: '2026-01-01', until_date: date, units: 1 };
const contact = { name: 'Ann Lee', phone: '(407) 555-0123', email: 'ann@home.example' };
const window = { day_of_week: 1, start_time: '09:00', end_time: '10:00' };
const made = { id: 'a', type: 'public-key', response: { clientDataJSON: 'a', attestationObject: 'a' } };
const signed = {
  id: 'a',
  type: 'public-key',
  response: { clientDataJSON: 'a', authenticatorData: 'a', signature: 'a', userHandle: 'a' },
};
const absence = { type: 'client_cancel', client: 'Bo Lee', location: 'tampa', date, begin: '09:00', end: '10:00' };
const password = x(SHORTEST_PASSWORD);

/** Accepted and refused values of a field, which a dot separates from the field that it is in. */
type Limits = Readonly<Record<string, { accepted: readonly unknown[]; refused: readonly unknown[] }>>;
const text = (most: number) => ({ accepted: [x(most)], refused: [x(most + 1)] });
const line = (most: number) => ({ accepted: [x(most)], refused: [x(most + 1), 'a\nb'] });
const filled = (most: number) => ({ accepted: [x(1), x(most)], refused: ['', ' ', x(most + 1), 'a\nb'] });
const whole = (least: number, most: number) => ({
  accepted: [least, most],
  refused: [least - 1, most + 1, least + 0.5],
});
const most = <T>(length: number, each: T) => ({
  accepted: [list(length, each)],
  refused: [list(length + 1, each)],
});
const mail = { accepted: [email(254)], refused: [email(255), 'ann'] };
const bytes = (length: number) => ({ accepted: [x(length)], refused: [x(length + 1), 'a+b'] });

const account = { email: 'ann@home.example', name: 'Ann', role: 'scheduler', locations: null };
const CASES: Readonly<Record<string, [z.ZodMiniType, object, Limits]>> = {
  'an account': [accountBodySchema, account, { email: mail, password: { accepted: [password], refused: [x(11)] } }],
  'an invitation': [
    adminEndpoints.invite.body,
    { therapist: 'T1', email: 'ann@home.example' },
    { email: mail, send_to: mail, therapist: text(64) },
  ],
  'an authorization': [
    authorizationSchema,
    authorization,
    {
      payer: filled(60),
      number: line(60),
      units: whole(1, 100_000),
      until_date: { accepted: ['2028-01-02'], refused: ['2028-01-03', '2025-12-31'] },
    },
  ],
  'a cause': [causesEndpoints.createCause.body, { label: 'Sick', lost_by: null }, { label: filled(LONGEST_CAUSE) }],
  'the cause of a loss': [
    causesEndpoints.sayAbsence.body,
    { cause: null },
    {
      known: {
        accepted: ['2026-11-24T08:00'],
        refused: ['2026-11-24 08:00', '2026-11-31T08:00', '2026-11-24T25:00'],
      },
    },
  ],
  'a contact': [contactSchema, contact, { name: filled(120), relation: line(60), language: line(60) }],
  'a client': [
    clientBodySchema,
    person,
    {
      priority: whole(1, 1000),
      restrictions: most(1000, { type: 'therapist', restriction: 'T1' }),
      needs: most(MOST_TAGS, { tag: 'Spanish', must: true }),
      authorizations: most(MOST_AUTHORIZATIONS, authorization),
      contacts: most(MOST_CONTACTS, contact),
    },
  ],
  'a therapist': [
    therapistBodySchema,
    { ...person, specialization: 'RBT', start_date: date },
    {
      consistency: whole(0, 100),
      availability: most(100, window),
      credentials: most(MOST_TAGS, { credential: 'RBT' }),
      tags: most(MOST_TAGS, { tag: 'Spanish' }),
      end_date: { accepted: [date], refused: ['2026-11-23'] },
    },
  ],
  'a tag': [tagSchema, { tag: 'Spanish' }, { tag: filled(LONGEST_TAG) }],
  'a credential': [credentialSchema, { credential: 'RBT' }, { number: line(60) }],
  'absences to save': [
    processBodySchema,
    { queries: [absence], date, location: 'tampa' },
    { queries: { accepted: [list(200, absence)], refused: [[], list(201, absence)] } },
  ],
  'the result of a call': [
    answerBodySchema,
    { location: 'tampa', date, kind: 'client', id: 'C1', version: '1', answer: 'said-no', no: { scope: 'session' } },
    { note: text(500), version: text(64), 'no.sessions': most(50, x(64)) },
  ],
  'a commit’s headers': [
    actionsEndpoints.actions.headers,
    {},
    { 'idempotency-key': { accepted: [x(1), x(200)], refused: ['', x(201)] } },
  ],
  'dates to plan': [
    proposalsEndpoints.propose.body,
    { location: 'tampa', dates: [date] },
    { dates: { accepted: [list(14, date)], refused: [[], list(15, date)] } },
  ],
  'a refresh': [
    z.pick(refreshBodySchema, { refreshSelections: true }),
    { refreshSelections: [] },
    { refreshSelections: most(2000, { date, client: 'Bo Lee', option: 'Option 1' }) },
  ],
  'a payer': [
    ledgersEndpoints.savePayer.body,
    { name: 'Sunshine', credential: null, tag: null },
    {
      name: filled(60),
      tag: filled(60),
      concurrent: most(64, '97153+97155'),
      'concurrent.0': { accepted: ['97155+97153'], refused: ['97153', '97153+1'] },
    },
  ],
  'the clinic’s limits': [
    rulesSchema,
    { new_here_days: 14, week_hours: 40, supervision_percent: 5, supervision_contacts: 2 },
    {
      new_here_days: whole(0, 365),
      week_hours: { accepted: [1, 37.25, 80], refused: [0.75, 80.25, 37.3] },
      supervision_percent: whole(0, 100),
      supervision_contacts: whole(0, 31),
    },
  ],
  'the first use of an invitation': [
    ownAccountEndpoints.acceptInvitation.body,
    { secret: 'x', password },
    { secret: text(200), password: { accepted: [x(LONGEST_PASSWORD)], refused: [x(LONGEST_PASSWORD + 1), x(11)] } },
  ],
  'a passkey for an invitation': [
    passkeyEndpoints.welcomePasskey.body,
    { secret: 'x', name: 'Phone', passkey: made },
    { secret: text(200), name: filled(LONGEST_PASSKEY_NAME) },
  ],
  'a new passkey': [
    newPasskeySchema,
    made,
    {
      id: bytes(1364),
      'response.clientDataJSON': bytes(4096),
      'response.attestationObject': bytes(8192),
      'response.transports': most(16, x(32)),
      'response.transports.0': text(32),
    },
  ],
  'a signature': [
    signedPasskeySchema,
    signed,
    {
      'response.authenticatorData': bytes(4096),
      'response.signature': bytes(1024),
      'response.userHandle': bytes(128),
    },
  ],
  'a login': [
    authEndpoints.token.body,
    { username: 'ann@home.example', password: 'x' },
    { username: text(254), password: text(LONGEST_PASSWORD) },
  ],
};

/** A copy of the value with one of its fields changed. */
function changed(value: unknown, [field = '', ...deeper]: readonly string[], to: unknown): unknown {
  const copy = (Array.isArray(value) ? [...(value as unknown[])] : { ...(value as object) }) as Record<string, unknown>;
  copy[field] = deeper.length === 0 ? to : changed(copy[field] ?? [], deeper, to);
  return copy;
}

describe.each(Object.entries(CASES))('given %s', (_what, [schema, valid, limits]) => {
  test.each(Object.entries(limits))('%s is accepted up to its limit, and refused beyond', (field, values) => {
    const parsed = (value: unknown) => schema.safeParse(changed(valid, field.split('.'), value)).error?.issues ?? [];
    expect(schema.safeParse(valid).error).toBeUndefined();
    for (const value of values.accepted) expect(parsed(value), JSON.stringify(value)).toEqual([]);
    for (const value of values.refused) {
      const paths = parsed(value).map(({ path }) => path.join('.'));
      expect(paths[0], JSON.stringify(value)).toBe(field);
    }
  });
});

test('a tab’s id has a shortest and a longest length', () => {
  expect([7, 8, 64, 65].map((length) => tabSchema.safeParse(x(length)).success)).toEqual([false, true, true, false]);
});
