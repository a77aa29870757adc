import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { startSending } from '../../platform/sending/outbox.ts';
import { makeSender } from '../../platform/sending/sender.ts';
import { CallList } from '../../testing/call-list.ts';
import { slotsOf } from '../../testing/calls.ts';
import { buildCoverApp } from '../../testing/cover-app.ts';
import { openMailReceiver, type MailReceiver } from '../../testing/mail-receiver.ts';
import { changeReleasedDay, outboxOf } from '../../testing/released-day.ts';
import { buildSmallClinic, DATE } from '../../testing/small-clinic.ts';
import { useApp } from '../../testing/use-app.ts';

let mail: MailReceiver;
const t = useApp(async () => {
  mail = await openMailReceiver();
  const config = { smtpUrl: mail.url, mailFrom: 'clinic@clinic.example', publicUrl: 'https://schedule.clinic.example' };
  return buildCoverApp({ config });
});
afterAll(() => mail.close());

/** How many times the worker has looked for due messages. */
let rounds = 0;
let stopSending: () => Promise<void>;
const troubles: unknown[] = [];
beforeAll(() => {
  const clock = {
    now: () => {
      rounds++;
      return Date.now();
    },
  };
  const outbox = outboxOf({ app: t.opened }, makeSender(t.deps.config), clock);
  stopSending = startSending(outbox, {
    events: t.deps.events,
    everyMs: 20,
    onTrouble: (error) => troubles.push(error),
  });
});
afterAll(() => stopSending());

/** Waits until the worker has looked several more times. */
async function manyRounds(): Promise<void> {
  const enough = rounds + 10;
  await vi.waitFor(() => expect(rounds).toBeGreaterThan(enough), { timeout: 30_000 });
}
const queued = async (): Promise<number> => (await t.db.selectFrom('message').select('id').execute()).length;

test('given a changed day and a running worker, then messages are sent only after “Release”, and a later change sends none', async () => {
  const clinic = await buildSmallClinic(t.db);
  await changeReleasedDay({ app: t.opened, db: t.db, who: t.staff, clinic });
  const { list, answered, post } = new CallList(() => t.staff);
  await answered('Bo Lee', 'no-answer');
  await post('claim', { kind: 'therapist', id: clinic.kai, ringing: true });
  await manyRounds();
  expect((await list()).sending).toEqual({ email: true, text: false, to_release: 2 });
  expect([await queued(), mail.received]).toEqual([0, []]);

  expect((await post('release', {})).statusCode).toBe(200);
  await vi.waitFor(() => expect(mail.received).toHaveLength(2), { timeout: 30_000 });
  const { appointments } = await slotsOf(t.staff, DATE);
  const key = appointments.find((each) => each['Client Name'] === 'Bo Lee')?.key;
  const cancelled = await t.staff.call({ method: 'POST', url: `/api/appointments/${key}/cancel`, payload: {} });
  expect(cancelled.statusCode, cancelled.body).toBe(200);
  await manyRounds();
  expect([await queued(), mail.received.length, troubles]).toEqual([2, 2, []]);
});
