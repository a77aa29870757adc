import { expect, test } from 'vitest';
import { readAppointment, readAppointments } from './appointments.ts';
import { wireAppointment as wire } from './testing/sample-day.ts';

test('[CAL-14] times are read as minutes after midnight by the clinic’s clock', () => {
  const read = readAppointment(
    wire({ StartDateTime: '3/8/2026, 12:05 PM', EndDateTime: '3/8/2026, 1:00 PM' }),
    'Admin',
  );
  expect(read).toMatchObject({ date: '2026-03-08', start: 725, end: 780 });
});

test('[CAL-14] an appointment whose time cannot be read, or that ends before it starts, is not drawn', () => {
  expect(readAppointment(wire({ StartDateTime: '11/20/2026, half past' }), 'Admin')).toBeNull();
  expect(readAppointment(wire({ EndDateTime: '11/20/2026, 8:00 AM' }), 'Admin')).toBeNull();
});

test('an appointment that runs past midnight is cut off at midnight', () => {
  expect(readAppointment(wire({ EndDateTime: '11/21/2026, 1:00 AM' }), 'Admin')?.end).toBe(1440);
});

test.each(['deleted', 'Deleted', 'DELETED'])('[CAL-10] an appointment with status %s is hidden', (status) => {
  expect(readAppointment(wire({ Appointment_Status: status }), 'Admin')).toBeNull();
});

test('[CAL-11] two rows with the same Id are one appointment if their times are equal, and two if their times are far apart', () => {
  const far = wire({ StartDateTime: '11/20/2026, 1:00 PM', EndDateTime: '11/20/2026, 2:00 PM' });
  expect(readAppointments([wire(), wire(), far], 'Admin')).toHaveLength(2);
});

test('[CAL-11] given empty Ids, rows are duplicates only when all their other fields match', () => {
  const none = { Id: '' };
  const list = [wire(none), wire(none), wire({ ...none, Subject: 'Supervision' })];
  expect(readAppointments(list, 'Admin').map((a) => a.subject)).toEqual(['Direct Therapy', 'Supervision']);
});

test('[CAL-12] rows with the same Id, at most 15 minutes apart, merge into one that keeps the uncovered time', () => {
  const next = wire({
    StartDateTime: '11/20/2026, 11:45 AM',
    EndDateTime: '11/20/2026, 1:00 PM',
    needs_cover: true,
    uncovered: [{ start: '11:45', end: '13:00' }],
  });
  const [merged, ...others] = readAppointments([wire(), next], 'Admin');
  expect(others).toEqual([]);
  expect(merged).toMatchObject({ start: 510, end: 780, uncovered: [{ start: 705, end: 780 }] });
});

test('[CAL-07] the administrative client is recognized by name, whether in upper or lower case', () => {
  expect(readAppointment(wire({ 'Client Name': ' office TIME ' }), 'Office Time')?.admin).toBe(true);
  expect(readAppointment(wire({ 'Client Name': 'Admin' }), 'Office Time')?.admin).toBe(false);
});

test('a session without a therapist is uncovered unless it is cancelled', () => {
  const open = { Preferred_Provider_Name: 'Unassigned' };
  expect(readAppointment(wire(open), 'Admin')?.uncovered).toEqual([{ start: 510, end: 690 }]);
  expect(readAppointment(wire({ ...open, Appointment_Status: 'Cancelled' }), 'Admin')?.uncovered).toEqual([]);
});

test('[CAL-11] given rows without an Id field, two equal rows are one session, and two different rows are two sessions', () => {
  const { Id: _, ...bare } = wire();
  const without = (part: object) => ({ ...bare, ...part }) as ReturnType<typeof wire>;
  expect(readAppointments([without({}), without({})], 'Admin')).toHaveLength(1);
  expect(readAppointments([without({}), without({ 'Client Name': 'Mo Diaz' })], 'Admin')).toHaveLength(2);
});
