import { expect, test } from 'vitest';
import type { OfferedCell, SlotsReply, WireAppointment } from '@clinic/contract';
import { openProposal, proposalReducer } from './model.ts';
import { peekDay } from './peek.ts';
import { proposal } from './testing/sample-proposal.ts';

const session = (key: string, client: string, from: string, to: string, more: Partial<WireAppointment> = {}) => ({
  Id: `APT-${key}`,
  key,
  'Client Name': client,
  Preferred_Provider_Name: 'Ana Ruiz',
  Subject: 'Direct Therapy',
  StartDateTime: `11/20/2026, ${from}`,
  EndDateTime: `11/20/2026, ${to}`,
  Appointment_Status: 'Confirmed',
  Location: 'Tampa',
  'Location Group': 'West Florida',
  needs_cover: false,
  uncovered: [],
  ...more,
});
const day = (...appointments: WireAppointment[]): SlotsReply => ({
  appointments,
  availabilities: [],
  absences: [],
  people: [],
  version: 7,
  now: '2026-11-20T07:00:00',
});
/**
 * The sample proposal, in which all cells of a client belong to one session. `sessions` holds that session's key by
 * the client's name.
 */
function sample(sessions: Readonly<Record<string, string>>) {
  const reply = proposal();
  const withSession = ([slot, cell]: [string, OfferedCell], client: string) =>
    [slot, { ...cell, session: sessions[client], from: 'Ana Ruiz' }] as const;
  for (const [client, options] of Object.entries(reply.data['2026-11-20'] ?? {}))
    for (const [name, cells] of Object.entries(options))
      options[name] = Object.fromEntries(Object.entries(cells).map((entry) => withSession(entry, client)));
  return reply;
}
const said = (reply: SlotsReply) =>
  reply.appointments.map((a) =>
    [a.StartDateTime.slice(12), a.EndDateTime.slice(12), a.Preferred_Provider_Name, a.Appointment_Status]
      .concat(a.booked_with ?? [])
      .concat(a.needs_cover ? 'open' : [])
      .join(' '),
  );

test('a peek shows the day with the choices applied and leaves all other sessions unchanged', () => {
  const before = day(
    session('bo', 'Bo Lee', '8:15 AM', '11:30 AM'),
    session('mo', 'Mo Diaz', '1:00 PM', '4:00 PM'),
    session('ida', 'Ida Fox', '1:00 PM', '4:00 PM'),
  );
  const state = proposalReducer(openProposal(sample({ 'Bo Lee': 'bo', 'Mo Diaz': 'mo', 'Zoe Fox': 'gone' })), {
    type: 'pick',
    client: 'Bo Lee',
    option: 'Option 2',
  });
  const peeked = peekDay(before, state);
  expect(said(peeked)).toEqual([
    '8:15 AM 8:30 AM Ana Ruiz Confirmed',
    '8:30 AM 10:00 AM Lin Park Confirmed Ana Ruiz',
    '10:00 AM 11:30 AM Unassigned Confirmed Ana Ruiz open',
    '1:00 PM 4:00 PM Ana Ruiz Cancelled',
    '1:00 PM 4:00 PM Ana Ruiz Confirmed',
  ]);
  expect(new Set(peeked.appointments.map((a) => a.Id)).size).toBe(5);
  expect(said(before)).toHaveLength(3);
});

test('given a group, all its appointments change together', () => {
  const group = { group: 'G1' };
  const before = day(
    session('bo', 'Bo Lee', '8:30 AM', '11:30 AM', group),
    session('mo', 'Mo Diaz', '8:30 AM', '11:30 AM', group),
    session('ida', 'Ida Fox', '1:00 PM', '2:00 PM', group),
  );
  expect(said(peekDay(before, openProposal(sample({ 'Bo Lee': 'bo' }))))).toEqual([
    '8:30 AM 11:30 AM Kai Wood Confirmed Ana Ruiz',
    '8:30 AM 11:30 AM Kai Wood Confirmed Ana Ruiz',
    '1:00 PM 2:00 PM Ana Ruiz Confirmed',
  ]);
});
