import { leaveEndpoints, type LeaveOutcome } from '@clinic/contract';
import { isoDate } from '@clinic/domain';
import { expect, test } from 'vitest';
import { page } from 'vitest/browser';
import { serve, show } from '../../testing/components.tsx';
import { LeaveDialog } from './leave-dialog.tsx';

const session = (date: string) => ({ date, time: '10:00 AM - 12:00 PM', client: 'Bo Stays', therapist: 'Kai First' });
const OUTCOME: LeaveOutcome = {
  id: null,
  changed_at: '2030-12-01T12:00:00Z',
  dates: 3,
  own: 0,
  back: [session('2030-12-16'), session('2030-12-23')],
  to_tell: ['Kai First', 'Bo Stays’ family'],
  stays: [{ ...session('2030-12-09'), why: 'covered by Kai First' }],
};
const LEAVE = { id: '6f0a9f0e-6a2b-4c53-9a58-1a1f0f6b7d10', first_date: '2030-12-09', last_date: '2030-12-31' };

const open = (outcome: LeaveOutcome) => {
  const sent = serve([leaveEndpoints.previewLeaveEnd, outcome], [leaveEndpoints.endLeave, outcome]);
  const absence = { id: 'a', name: 'Ana Ruiz', type: 'therapist' as const, startTime: '00:00', endTime: '23:59' };
  const leave = { ...LEAVE, weekdays: [1] };
  return show(
    <LeaveDialog
      absence={absence}
      leave={leave}
      location="altamonte"
      date={isoDate('2030-12-09')}
      onClose={() => {}}
    />,
  ).then(() => sent);
};

test('[WKS-03] an early return says what comes back, what stays and whom to tell; what people were told stays unless chosen', async () => {
  const sent = await open(OUTCOME);
  const part = page.getByRole('region', { name: 'Back at work' });
  await expect.element(part).toMatchTextContent('To tell: Kai First and Bo Stays’ family.');
  await expect.element(part).toMatchTextContent('Mon, Dec 9, 10:00 AM - 12:00 PM: Bo Stays, covered by Kai First');
  expect(sent).toMatchObject([{ body: { cover: 'keep-told' } }]);
  await expect.element(part.getByRole('button', { name: 'Back at work, give all back' })).toBeVisible();
  await part.getByRole('button', { name: 'Back at work, except what people were told' }).click();
  await expect.poll(() => sent.at(-1)).toMatchObject({ path: `/leave/${LEAVE.id}/end`, body: { cover: 'keep-told' } });
});

test('[WKS-03] given that nobody was told, one button gives the sessions back', async () => {
  await open({ ...OUTCOME, stays: [] });
  await expect.element(page.getByRole('button', { name: 'Back at work, give the sessions back' })).toBeVisible();
  expect(page.getByRole('button', { name: /give all back/ }).elements()).toHaveLength(0);
});
