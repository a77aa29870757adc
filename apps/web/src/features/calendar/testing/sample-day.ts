import type { SlotsReply, WireAppointment } from '@clinic/contract';

/** Sample appointments and days for tests, as the server sends them. */
export const wireAppointment = (over: Partial<WireAppointment> = {}): WireAppointment => ({
  Id: 'APT-1',
  StartDateTime: '11/20/2026, 8:30 AM',
  EndDateTime: '11/20/2026, 11:30 AM',
  Subject: 'Direct Therapy',
  Preferred_Provider_Name: 'Ana Ruiz',
  Appointment_Status: 'Confirmed',
  'Client Name': 'Bo Lee',
  Location: 'Altamonte',
  'Location Group': 'Central Florida',
  ...over,
});

export const slotsReply = (over: Partial<SlotsReply> = {}): SlotsReply => ({
  appointments: [],
  availabilities: [],
  absences: [],
  people: [],
  version: 1,
  now: '2026-11-20T08:10:00',
  ...over,
});
