import { expect, test } from 'vitest';
import { CLIENTS, plan, SESSIONS, sessionsOf, THERAPISTS } from './testing/foreign.ts';

const row = (provider: string, { id = '1', client = 'C3', hour = 8 } = {}): string =>
  `${id}\t11/16/2026\t${hour}:00 AM - ${hour}:45 AM\t\t${client}\t${provider}\t97153\tScheduled\tAltamonte\t3`;

test.each([
  '-',
  '--',
  '—',
  'N/A',
  'n/a',
  'None',
  'TBD',
  'TBA',
  'OPEN SHIFT',
  'Open',
  'Shift, Open',
  'Open - Shift',
  'Vacant',
  'No Therapist',
])('given the therapist %s, whom no one is called, then the session has no therapist', async (provider) => {
  const { sessions, refused } = await sessionsOf([row(provider)]);
  expect([refused, sessions.map((s) => s.therapistId)]).toEqual([[], [null]]);
});

test('given someone who is called so, or another word, then the cell is a name', async () => {
  const open = 'E-9,Shift,Open,Altamonte,RBT,F,1/2/2025,40,Mon-Fri 8-5';
  const named = await plan({
    therapists: [...THERAPISTS, open],
    clients: CLIENTS,
    appointments: [SESSIONS, row('Open, Shift')],
  });
  expect(named.sessions.map((s) => s.therapistId)).toEqual(['E-9']);
  for (const name of ['Open Water', 'Nona', 'T.B. Dee', 'No'])
    expect(
      (await sessionsOf([row(name)])).refused.map((each) => each.reason),
      name,
    ).toEqual(['unknown therapist']);
});

test('given no client, then the refusal says how to write administrative time', async () => {
  for (const client of ['', 'N/A', '-']) {
    const { refused } = await sessionsOf([row('E-1', { client })]);
    expect(refused.map((each) => each.text)).toEqual([
      "Client Name is empty; for administrative time, write 'Admin' there",
    ]);
  }
});

test('given Ids that say that there is none, then sessions of different people at one time stay apart', async () => {
  for (const id of ['-', 'N/A', 'None']) {
    const { sessions } = await sessionsOf([row('E-1', { id, client: 'C3' }), row('E-3', { id, client: 'C1' })]);
    expect(sessions.map((s) => [s.clientId, s.therapistId])).toEqual([
      ['C3', 'E-1'],
      ['C1', 'E-3'],
    ]);
  }
});

test('given N/A and the like where a cell may be empty, then it is empty, and no one gets a need or a tag of that name', async () => {
  const { people, refused } = await plan({
    therapists: [
      'Employee Id,First Name,Last Name,Office,Credential,Sex,Hire Date,Termination Date,Max Hours Per Week,Availability,Tags',
      'E-1,Ana,None,Altamonte,RBT,F,3/4/2024,N/A,-,TBD,None',
    ],
    clients: [
      'Client Id,Client Name,Clinic,Gender,Restrictions,Needs',
      'C-1,"None, Bo",Altamonte,F,None,N/A',
      'C-2,Bo -,Altamonte,F,-,—',
    ],
    authorizations: [
      'Client,Office,Payer,Code,Auth #,From,To,Units,Units Used',
      'C-1,N/A,Acme,97153,N/A,1/1/2026,6/30/2026,80,-',
    ],
  });
  expect(refused).toEqual([]);
  expect(people.therapists.map(({ record }) => record)).toEqual([
    expect.not.objectContaining({ tags: expect.anything() as unknown, weekHours: expect.anything() as unknown }),
  ]);
  expect(people.therapists[0]?.record).toMatchObject({ lastName: 'None', availability: [] });
  expect(people.clients.map(({ record }) => [record.lastName, record.needs, record.twoToOne])).toEqual([
    ['None', undefined, false],
    ['-', undefined, false],
  ]);
  expect(people.details.authorizations[0]?.record).toMatchObject({ number: '', prior_units: null });
});

test('given restrictions that are still to be decided, then the row is refused, and not taken as unrestricted', async () => {
  const { people, refused } = await plan({
    clients: [
      'Client Id,Client Name,Clinic,Gender,Restrictions',
      'C-1,Bo Lee,Altamonte,F,TBD',
      'C-2,Cy Lee,Altamonte,F,tba',
    ],
  });
  expect(people.clients).toEqual([]);
  expect(refused.map(({ text }) => text)).toEqual([
    expect.stringContaining('TBD') as string,
    expect.stringContaining('tba') as string,
  ]);
});

test('given Jr. or III on one side only, then everyone with the name is offered, and nothing is decided', async () => {
  const person = (id: string, last: string) => `${id},Sean,${last},Altamonte,RBT,F,3/4/2024,40,Mon-Fri 8-5`;
  const ask = async (therapists: readonly string[], name: string) => {
    const { people, refused } = await plan({
      therapists: [THERAPISTS[0] ?? '', ...therapists],
      clients: CLIENTS,
      appointments: [SESSIONS, row(name)],
    });
    expect(refused.map((each) => each.reason)).toEqual(['unknown therapist']);
    return people.context.therapists.questions.flatMap(({ choices }) => choices.map(({ id }) => id));
  };
  const one = [person('E-1', "O'Neil")];
  for (const name of ["O'Neil Jr., Sean", "O'Neil, Sean, Jr.", "Sean O'Neil III", "O'Neil Sr, Sean (RBT)"])
    expect(await ask(one, name), name).toEqual(['E-1']);
  expect(
    await ask([person('E-1', "O'Neil Jr."), person('E-2', "O'Neil Sr."), person('E-3', 'Ivers')], "Sean O'Neil"),
  ).toEqual(['E-1', 'E-2']);
});

test('given two people in one cell, then the refusal says to give each a row', async () => {
  for (const name of ['E-1; E-2', 'Ana Ruiz / Kai Wood', 'Ana Ruiz & Kai Wood', 'Ana Ruiz and Kai Wood'])
    expect((await sessionsOf([row(name)])).refused[0]?.text).toMatch(
      /; for several people, give each a row of its own$/,
    );
});
