import { invitationMessages } from '../admin/invitation-mail.ts';
import { dayMessages } from '../tell/calls/sift.ts';
import type { Clock } from '../platform/clock.ts';
import type { Outbox } from '../platform/sending/outbox.ts';
import type { Sender } from '../platform/sending/sender.ts';
import { buildAppointment } from './builders.ts';
import { commitEveryone, propose } from './calls.ts';
import type { SmallApp } from './small-app.ts';
import { DATE } from './small-clinic.ts';
import type { SignedIn } from './test-app.ts';

/**
 * Makes a day on which Ana calls out and Kai covers Bo; Kai has their own page, and Bo's mother chose email. Returns
 * Kai's account and the id of the commit.
 * @param asked whether Kai must come in for it, and so be asked
 */
export async function changeReleasedDay(
  { app, db, who, clinic }: SmallApp,
  asked = false,
): Promise<{ readonly kai: SignedIn; readonly commit: string }> {
  const kai = await app.signIn({
    role: 'therapist',
    therapistId: clinic.kai,
    locations: ['altamonte'],
    email: 'kai@home.example',
  });
  const mother = { client_id: clinic.bo, name: 'Bo Mother Lee', relation: 'Mother of Bo Lee', rank: 1 };
  await db
    .insertInto('contact')
    .values({ ...mother, phone: '407 555 0100', email: 'mother@home.example', preferred: 'email' })
    .execute();
  // At work around that time, Kai need not be asked, and the family need not wait for his yes.
  const around = [
    ['08:00', '08:30'],
    ['11:30', '12:00'],
  ] as const;
  for (const [start, end] of asked ? [] : around)
    await buildAppointment(db, { therapist: clinic.kai, client: clinic.ida, date: DATE, start, end });
  const { commit } = await commitEveryone(who, await propose(who, { therapist: 'Ana Ruiz' }));
  return { kai, commit };
}

/** The outbox of one of this clinic's servers. */
export const outboxOf = ({ app: { deps } }: Pick<SmallApp, 'app'>, sender: Sender, clock: Clock): Outbox => ({
  db: deps.db,
  sender,
  clock,
  matters: {
    day: dayMessages({ wallOf: deps.wallOf, publicUrl: deps.config.publicUrl }),
    invitation: invitationMessages,
  },
});
