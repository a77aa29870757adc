import { invitationMessages } from '../features/admin/invitation-mail.ts';
import { dayMessages } from '../features/cover/calls/sift.ts';
import type { Clock } from '../platform/clock.ts';
import type { Outbox } from '../platform/sending/outbox.ts';
import type { Sender } from '../platform/sending/sender.ts';
import { wallNow } from '../platform/wall-clock.ts';
import { commitEveryone, propose } from './calls.ts';
import type { SmallApp } from './small-app.ts';
import type { SignedIn } from './test-app.ts';

/**
 * Makes a day on which Ana calls out and Kai covers Bo; Kai has their own page, and Bo's mother chose email. Returns
 * Kai's account and the id of the commit.
 */
export async function changeReleasedDay({
  app,
  db,
  who,
  clinic,
}: SmallApp): Promise<{ readonly kai: SignedIn; readonly commit: string }> {
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
  const { commit } = await commitEveryone(who, await propose(who, { therapist: 'Ana Ruiz' }));
  return { kai, commit };
}

/** The outbox of one of this clinic's servers. */
export const outboxOf = ({ app: { deps } }: Pick<SmallApp, 'app'>, sender: Sender, clock: Clock): Outbox => ({
  db: deps.db,
  sender,
  clock,
  matters: {
    day: dayMessages({ wallOf: (location) => wallNow(deps.clock, location), publicUrl: deps.config.publicUrl }),
    invitation: invitationMessages,
  },
});
