import { expect, test } from 'vitest';
import { CLIENTS, plan } from './testing/foreign.ts';

/** What an import reads from the cells of these columns: the units and their period, or why the row is refused. */
async function read(columns: string, cells: string): Promise<string> {
  const header = `Client Id,Payor,CPT,Auth #,Auth Start Date,Authorization End Date,${columns}`;
  const authorizations = [header, `C3,Acme,97153,A-1,1/1/2026,6/30/2026,${cells}`];
  const { people, tables } = await plan({ clients: CLIENTS, authorizations });
  expect([tables.authorizations?.columns.missing, tables.authorizations?.columns.questions]).toEqual([[], []]);
  const { authorizations: found, outcomes } = people.details;
  return [
    ...found.map(({ record }) => `${record.units} ${record.period}`),
    ...outcomes.filter(({ outcome }) => outcome === 'refused').map(({ text }) => text),
  ].join();
}

test.each([
  ['Hours Per Week', '20', '80 week'],
  ['Weekly Hours', '20', '80 week'],
  ['Units per Month', '160', '160 month'],
  ['Monthly Hours,Unit Type', '40,Units', '160 month'],
  ['Hours per Week,Total Hours', '20,520', '2080 total'],
  ['Hours per Week,Hours per Month', ',40', '160 month'],
  ['Units,Frequency', '40,Wk', '40 week'],
  ['Units,Frequency', '40,/month', '40 month'],
  ['Units,Frequency', '40,Per Auth', '40 total'],
])('given %s with %s, then it grants %s', async (columns, cells, granted) => {
  expect(await read(columns, cells)).toBe(granted);
});

test('given no units and no hours, then the refusal says so', async () => {
  expect(await read('Units,Weekly Hours', ',')).toBe('units and hours are empty');
  expect(await read('Units,Frequency', '40,Biweekly')).toBe("period is 'Biweekly'; it must be total, week or month");
});

test('given an authorization that is not granted, then its units do not count', async () => {
  for (const status of ['Denied', 'Pending', 'PENDING - appeal', 'Submitted', 'Cancelled', 'Void', 'Not approved'])
    expect(await read('Units,Status', `40,${status}`)).toBe(`its status is '${status}': only what is granted counts`);
  for (const status of ['Approved', 'Active', 'Expired', 'Partially denied', ''])
    expect(await read('Units,Auth Status', `40,${status}`)).toBe('40 total');
});
