import { expect, test } from 'vitest';
import { isoDate } from '@clinic/domain';
import { NO_DETAILS, planDetails } from './rows/details.ts';
import { parseDateTime } from './rows/fields.ts';
import { CLIENTS, plan, SESSIONS, sessionsOf, THERAPISTS } from './testing/foreign.ts';
import { withoutTitles } from './columns/titles.ts';

test('given people under the usual column names, with a name in one or two columns, then no one asks about the columns', async () => {
  const { people, tables, refused } = await plan({ therapists: THERAPISTS, clients: CLIENTS });
  expect(refused).toEqual([]);
  expect(tables.therapists?.columns.questions).toEqual([]);
  expect(people.therapists.map(({ displayName, record }) => [displayName, record.startDate])).toEqual([
    ['Siobhán O’Brien-Smith', '2024-03-04'],
    ['José M. Núñez', '2024-02-29'],
    ['Wei 陳', '2025-01-02'],
  ]);
  expect(people.clients.map(({ record: { firstName, lastName } }) => `${firstName}|${lastName}`)).toEqual([
    'Mia|Lopez',
    'Mia|Lopez',
    "Zoë Ann|D'Angelo",
  ]);
});

test('given both times in one column, names in two, and credentials and ids behind names, then the sessions are read', async () => {
  const { sessions, refused } = await sessionsOf([
    "1\t11/16/2026\t8a-11a\tZoë Ann\tD'Angelo\tO’Brien-Smith, Siobhán (RBT)\t97153\tCompleted\tAltamonte\t12",
    '2\t11/16/2026\t08:00 AM - 11:00 AM EST\tMia\tLopez (C2)\tJosé M. Núñez, M.S., BCBA\t97155\tCompleted\tAltamonte\t12',
    '3\t2/29/2028\t1-4p\tMia\tLopez [C1]\tWei 陳 - RBT\t97153\tScheduled\tAltamonte\t12',
    "4\t\t11/17/2026, 13:00 to 15:30\tZoë Ann\tD'Angelo\tE-3\t97156\tScheduled\tAltamonte\t10",
  ]);
  expect(refused).toEqual([]);
  expect(sessions.map((s) => [s.clientId, s.therapistId, s.date, s.start, s.end, s.service])).toEqual([
    ['C3', 'E-1', '2026-11-16', 480, 660, 'direct'],
    ['C2', 'E-2', '2026-11-16', 480, 660, 'supervision'],
    ['C3', 'E-3', '2026-11-17', 780, 930, 'parent-training'],
    ['C1', 'E-3', '2028-02-29', 780, 960, 'direct'],
  ]);
});

test.each([
  ['11/16/2026\t8:00 AM', 'Time is'],
  ['11/16/2026\t11:00 PM - 1:00 AM', 'Time is'],
  ['11/16/2026\t7:00 - 7:00', 'Time is'],
  ['\t8a-11a', 'Date is empty'],
  ['2/29/2027\t8a-11a', 'Date is'],
  ['07/15/2026\t08:00 AM - 11:00 AM EST', 'time zone is not the clinic’s (EDT on that date); if'],
  ['11/16/2026\t08:00 AM - 11:00 AM PST', 'time zone is not the clinic’s (EST on that date); if'],
  ['11/16/2026\t12a-11:30p', 'outside the clinic'],
])('the date and time %s are refused', async (when, text) => {
  const { sessions, refused } = await sessionsOf([`1\t${when}\tMia\tLopez (C1)\tE-1\t97153\tCompleted\tAltamonte\t4`]);
  expect(sessions).toEqual([]);
  expect(refused.map((each) => each.text)).toEqual([expect.stringContaining(text)]);
});

test('an id behind a name decides only if the name is that person’s, and a credential only if no one has the whole name', async () => {
  const row = (client: string, therapist: string) =>
    `1\t11/16/2026\t8a-11a\t${client}\t${therapist}\t97153\tCompleted\tAltamonte\t12`;
  expect((await sessionsOf([row('Mia\tLopez (C3)', 'E-1')])).refused.map((o) => o.reason)).toEqual(['unknown client']);
  expect((await sessionsOf([row('Mia\tLopez', 'E-1')])).refused.map((o) => o.reason)).toEqual(['ambiguous client']);
  const named = [...THERAPISTS, 'E-4,Siobhán,O’Brien-Smith (RBT),Altamonte,BT,F,3/4/2024,40,Mon-Fri 8-5'];
  const { sessions } = await plan({
    therapists: named,
    clients: CLIENTS,
    appointments: [SESSIONS, row("Zoë Ann\tD'Angelo", 'Siobhán O’Brien-Smith (RBT)')],
  });
  expect(sessions.map(({ therapistId }) => therapistId)).toEqual(['E-4']);
});

test('given a name without the accents that it has here, then it means that person, unless it could be two', async () => {
  const row = (client: string, therapist: string) =>
    `1\t11/16/2026\t8a-11a\t${client}\t${therapist}\t97153\tCompleted\tAltamonte\t12`;
  const { sessions } = await sessionsOf([row("ZOE ANN\tD'ANGELO", "O'Brien-Smith, Siobhan (RBT)")]);
  expect(sessions.map((s) => `${s.clientId} ${s.therapistId}`)).toEqual(['C3 E-1']);
  const clients = [...CLIENTS, "C8;D'Angelo, Zöe Ann;Altamonte;F;"];
  const read = async (client: string) => {
    const done = await plan({ therapists: THERAPISTS, clients, appointments: [SESSIONS, row(client, 'E-1')] });
    return [...done.sessions.map((s) => s.clientId), ...done.refused.map(({ reason }) => reason)];
  };
  expect(await read("Zoe Ann\tD'Angelo")).toEqual(['ambiguous client']);
  expect(await read("Zoë Ann\tD'Angelo")).toEqual(['C3']);
  expect(await read("Zoe Ann\tD'Angelo (C8)")).toEqual(['C8']);
});

test('given ids in columns of their own, then they decide between people of one name, but not against the name', async () => {
  const header = 'Appt ID,Date,Time,Client Id,Client Name,Staff Id,Staff Name,Service Code,Status,Location';
  const row = (people: string) => `1,11/16/2026,8a-11a,${people},97153,Completed,Altamonte`;
  const people = async (cells: string) => {
    const { sessions, refused } = await sessionsOf([row(cells)], header);
    return [...sessions.map((s) => `${s.clientId} ${s.therapistId}`), ...refused.map(({ reason }) => reason)];
  };
  expect(await people('C2,Mia Lopez,E-3,"陳, Wei (RBT)"')).toEqual(['C2 E-3']);
  expect(await people('C1,"LOPEZ, Mia",,')).toEqual(['C1 null']);
  expect(await people('C1,,E-3,')).toEqual(['C1 E-3']);
  // Ids that are someone else's, or that are not known here, do not count.
  expect(await people("C1,D'Angelo Zoë,E-3,Wei 陳")).toEqual(['unknown client']);
  expect(await people("C1,Zoë Ann D'Angelo,E-1,Wei 陳")).toEqual(['C3 E-3']);
  expect(await people("48151,Zoë Ann D'Angelo,623,Wei 陳")).toEqual(['C3 E-3']);
  expect(await people('48151,Mia Lopez,623,Wei 陳')).toEqual(['ambiguous client']);
});

test('files that name people only by their ids are read', async () => {
  const { sessions, tables } = await sessionsOf(
    ['1,11/16/2026,8a-11a,C2,E-3,97153,Completed,Altamonte'],
    'Appt ID,Date,Time,Patient Id,Provider Id,Service Code,Status,Location',
  );
  expect(tables.appointments?.columns.questions).toEqual([]);
  expect(sessions.map((s) => [s.clientId, s.therapistId])).toEqual([['C2', 'E-3']]);
});

test('authorizations may have the client’s id and name', async () => {
  const { people, refused } = await plan({
    clients: CLIENTS,
    authorizations: [
      'Client Id,Client Name,Location,Payor,CPT Code,Auth #,Effective Date,Expiration Date,Approved Units',
      'C2,Mia Lopez,Altamonte,Sunshine,97153,A-2,1/1/2026,12/31/2026,1200',
    ],
  });
  expect(refused).toEqual([]);
  expect(people.details.authorizations.map(({ person }) => person)).toEqual(['C2']);
});

test('authorizations may have the client’s name in two columns', async () => {
  const { people, refused } = await plan({
    clients: CLIENTS,
    authorizations: [
      'Patient First Name,Patient Last Name,Location,Payor,CPT Code,Auth #,Effective Date,Expiration Date,Approved Units',
      "Zoë Ann,D'Angelo,Altamonte,Sunshine,97153,A-1,1/1/2026,12/31/2026,1200",
    ],
  });
  expect(refused).toEqual([]);
  expect(people.details.authorizations.map(({ person, record }) => [person, record.units])).toEqual([['C3', 1200]]);
});

test('a file with only one of two columns that together make a name lacks the name', async () => {
  const { tables } = await sessionsOf([], SESSIONS.replace('\tClient Last Name', '').replace('Units', 'Room'));
  expect(tables.appointments?.columns.missing).toEqual(['Client Name']);
});

test('an import stores no more in a profile than a profile can be saved with', async () => {
  const many = (n: number, what: string) => Array.from({ length: n }, (_, i) => `${what} ${i}`).join('; ');
  const { people } = await plan({
    therapists: [`${THERAPISTS[0]},Tags`, `${THERAPISTS[1]},${many(51, 'Skill')}`],
    clients: [`${CLIENTS[0]};Needs`, `${CLIENTS[1]};"${many(51, 'Need')}"`],
    authorizations: [
      'Client,Payer,Code,Number,From,To,Units',
      ...Array.from({ length: 202 }, (_, i) => `C1,Acme,97153,A-${i},1/1/2026,12/31/2026,10`),
    ],
  });
  expect(people.therapists[0]?.record.tags).toHaveLength(50);
  expect(people.clients[0]?.record.needs).toHaveLength(50);
  expect(people.outcomes.map(({ text }) => text)).toEqual([
    'only the first 50 tags are taken; a profile holds no more',
    'only the first 50 needs are taken; a profile holds no more',
  ]);
  expect(people.details.authorizations).toHaveLength(200);
  expect(people.details.outcomes.at(-1)?.text).toBe('a profile holds at most 200 authorizations');
});

test('given a profile with more than can be saved, then an import still compares and replaces what is stored', async () => {
  const row = (i: number, units = 10) => `C1,Acme,97153,A-${i},1/1/2026,12/31/2026,${units}`;
  const details = async (rows: readonly string[], stored = NO_DETAILS) => {
    const authorizations = ['Client,Payer,Code,Number,From,To,Units', ...rows];
    const { people, tables } = await plan({ clients: CLIENTS, authorizations });
    return planDetails(tables, stored, people.context, isoDate('2026-11-20'));
  };
  const all = Array.from({ length: 200 }, (_, i) => i);
  const { authorizations } = await details(all.map((i) => row(i)));
  const [first] = authorizations;
  if (!first) throw new Error('nothing was read');
  const over = {
    ...NO_DETAILS,
    authorizations: [...authorizations, { ...first, record: { ...first.record, number: 'B' } }],
  };
  const { outcomes } = await details([row(0), row(1, 20), row(200)], over);
  expect(outcomes.map(({ outcome }) => outcome)).toEqual(['unchanged', 'changed', 'refused']);
});

test.each([
  ['2026-11-16T08:00:00-05:00', '2026-11-16 480'],
  ['2026-07-15T08:00:00-04:00', '2026-07-15 480'],
  ['11/16/2026 8:00 AM EST', '2026-11-16 480'],
  ['7/15/2026 8:00 AM EDT', '2026-07-15 480'],
  ['7/15/2026 8:00 AM ET', '2026-07-15 480'],
  ['7/15/2026 8:00 AM (ET)', '2026-07-15 480'],
  ['7/15/2026 8:00 AM Eastern Time (US & Canada)', '2026-07-15 480'],
  ['7/15/2026 8:00 AM America/New_York', '2026-07-15 480'],
  // The clocks go forward on March 8, 2026 and back on November 1, both at 2:00 AM.
  ['3/8/2026 8:00 AM EDT', '2026-03-08 480'],
  ['3/7/2026 8:00 AM EST', '2026-03-07 480'],
  ['11/1/2026 8:00 AM EST', '2026-11-01 480'],
  ['11/1/2026 8:00 AM', '2026-11-01 480'],
  // What a zone means that is not the clinic's on that date, no one can know: the program's own clock or the clinic's.
  ['2026-11-16T08:00:00-04:00', null],
  ['2026-11-16T13:00:00Z', null],
  ['2026-11-16T08:00:00+00:00', null],
  ['7/15/2026 8:00 AM EST', null],
  ['3/8/2026 8:00 AM EST', null],
  ['11/16/2026 8:00 AM CST', null],
  ['11/16/2026 8:00 AM America/Chicago', null],
  ['2026-11-16-05:00', null],
])('the time %s is %s at a clinic in Florida', (text, expected) => {
  const at = parseDateTime(text, 'altamonte');
  expect(at && `${at.date} ${at.minutes}`).toBe(expected);
});

test('credentials and degrees behind a name are left out, and last names that look like them stay', () => {
  expect(['Ana Ruiz, M.S., BCBA', 'Ruiz, Ana (RBT)', 'Ana Ruiz RBT®', 'Ana Ruiz - BCBA-D'].map(withoutTitles)).toEqual([
    'Ana Ruiz',
    'Ruiz, Ana',
    'Ana Ruiz',
    'Ana Ruiz',
  ]);
  for (const name of ['Wei Ma', 'Ana Ruiz-Bt', 'Kiara Kim (2)', 'RBT', 'Ana Rbt'])
    expect(withoutTitles(name)).toBe(name);
  const before = process.cpuUsage().user;
  withoutTitles(`Ana${' ,'.repeat(16_000)}x`);
  expect(process.cpuUsage().user - before).toBeLessThan(200_000);
});
