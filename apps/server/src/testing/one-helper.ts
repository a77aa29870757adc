import type { ProposalReply } from '@clinic/contract';
import type { Db } from '../db/connection.ts';
import { buildAppointment, buildClient, buildTherapist } from './builders.ts';
import { propose, takersOf } from './calls.ts';
import type { SignedIn } from './test-app.ts';

/**
 * On each of these dates, books Bo with Ana and Mo with Lin, both from 9:00 to 11:00; Kai can take over only one of
 * them. Returns the children's ids.
 */
export async function buildOneHelper(db: Db, dates: readonly string[]): Promise<{ bo: string; mo: string }> {
  const ana = await buildTherapist(db, { first: 'Ana', last: 'Ruiz' });
  const lin = await buildTherapist(db, { first: 'Lin', last: 'Shaw' });
  await buildTherapist(db, { first: 'Kai', last: 'Wood' });
  const bo = await buildClient(db, { first: 'Bo', last: 'Lee' });
  const mo = await buildClient(db, { first: 'Mo', last: 'Diaz' });
  for (const date of dates) {
    await buildAppointment(db, { therapist: ana, client: bo, date, start: '09:00', end: '11:00' });
    await buildAppointment(db, { therapist: lin, client: mo, date, start: '09:00', end: '11:00' });
  }
  return { bo, mo };
}

/** Returns the options if Ana and Lin are away, and the children whom Kai takes in Option 1. */
export async function planOneHelper(who: SignedIn, date: string): Promise<{ reply: ProposalReply; covered: string[] }> {
  const reply = await propose(who, { therapist: 'Ana Ruiz', date }, { therapist: 'Lin Shaw', date });
  const clients = Object.keys(reply.data[date] ?? {});
  return { reply, covered: clients.filter((client) => takersOf(reply, date, client).includes('Kai Wood')) };
}
