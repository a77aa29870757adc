import { expect, test } from 'vitest';
import { CLIENTS, plan, sessionsOf, THERAPISTS } from './testing/foreign.ts';

test('given an id beside a first and a last name, then sessions go to the person with the name, whoever has the id here', async () => {
  const header =
    'Appt ID,Date,Time,Patient Id,Patient First Name,Patient Last Name,Staff Id,Staff First Name,Staff Last Name,Service Code,Status,Location';
  const people = async (cells: string) => {
    const { sessions, refused } = await sessionsOf([`1,11/16/2026,8a-11a,${cells},97153,Completed,Altamonte`], header);
    return [...sessions.map((s) => `${s.clientId} ${s.therapistId}`), ...refused.map(({ reason }) => reason)];
  };
  expect(await people('C2,Mia,Lopez,E-3,Wei,陳')).toEqual(['C2 E-3']);
  expect(await people("48151,Zoë Ann,D'Angelo,623,Wei,陳")).toEqual(['C3 E-3']);
  expect(await people("C1,Zoë Ann,D'Angelo,E-1,Wei,陳")).toEqual(['C3 E-3']);
  expect(await people('C1,Nobody,Here,E-1,Wei,陳')).toEqual(['unknown client']);
  expect(await people('C2,,,E-3,,')).toEqual(['C2 E-3']);
  expect(await people('C2,Mia,Lopez,,,')).toEqual(['C2 null']);
});

test('given an id beside a first and a last name, then authorizations and credentials go to the person with the name', async () => {
  const { people, refused } = await plan({
    therapists: THERAPISTS,
    clients: CLIENTS,
    authorizations: [
      'Patient Id,Patient First Name,Patient Last Name,Payor,CPT Code,Auth #,Effective Date,Expiration Date,Approved Units',
      ...["48151,Zoë Ann,D'Angelo", "C1,Zoë Ann,D'Angelo", 'C2,Mia,Lopez', 'C2,,'].map(
        (client, i) => `${client},Sunshine,97153,A-${i},1/1/2026,12/31/2026,1200`,
      ),
    ],
    credentials: [
      'Provider Id,Provider First Name,Provider Last Name,Credential Type,Certification Number',
      ...['623,Wei,陳', 'E-1,Wei,陳', 'E-2,,'].map((therapist, i) => `${therapist},RBT,R-${i}`),
    ],
  });
  expect(refused).toEqual([]);
  const { authorizations, credentials } = people.details;
  expect(authorizations.map(({ person }) => person)).toEqual(['C3', 'C3', 'C2', 'C2']);
  expect(credentials.map(({ person }) => person)).toEqual(['E-3', 'E-3', 'E-2']);
});

test('given a client’s first name that looks like a degree, then it stays in the name, and a therapist’s degree does not', async () => {
  const { people, refused } = await plan({
    therapists: [
      'Employee Id,Name,Office,Credential,Sex,Hire Date,Availability',
      'E-1,"Ruiz, Ana, MA",Altamonte,RBT,F,3/4/2024,',
    ],
    clients: ['Client Id,Client Name,Clinic,Gender,Restrictions', 'C1,"CHEN, MA",Altamonte,F,'],
    appointments: [
      'Id,Start,End,Service,Provider,Status,Client,Location',
      '1,11/16/2026 8:00 AM,11/16/2026 9:00 AM,97153,Unassigned,Completed,"CHENG, MA",Altamonte',
    ],
  });
  const names = [...people.clients, ...people.therapists].map(({ record }) => [record.firstName, record.lastName]);
  expect(names).toEqual([
    ['MA', 'CHEN'],
    ['Ana', 'Ruiz'],
  ]);
  expect(refused.map(({ text }) => text)).toEqual(["there is no client named 'CHENG, MA' (did you mean 'MA CHEN'?)"]);
});
