import { causesEndpoints } from '@clinic/contract';
import { expect, test, vi } from 'vitest';
import { userEvent } from 'vitest/browser';
import { serve, show } from '../../../testing/components.tsx';
import { CauseDialog } from './cause-dialog.tsx';

test('while a cause is saved, Escape does not close the dialog, and the dialog shows the outcome', async () => {
  let answer = (): void => undefined;
  const broken = () => Response.json({ detail: 'broken' }, { status: 500 });
  const held = new Promise<Response>((resolve) => (answer = () => resolve(broken())));
  const requests = serve([causesEndpoints.createCause, () => held]);
  const onClose = vi.fn();
  const screen = await show(<CauseDialog cause={null} onClose={onClose} />);
  await screen.getByLabelText('Reason', { exact: true }).fill('Power cut');
  await userEvent.keyboard('{Enter}');
  await expect.poll(() => requests.length).toBe(1);
  await userEvent.keyboard('{Escape}');
  await expect.element(screen.getByRole('alertdialog')).not.toBeInTheDocument();
  answer();
  await expect.element(screen.getByRole('alert')).toBeVisible();
  expect(onClose).not.toHaveBeenCalled();
});
