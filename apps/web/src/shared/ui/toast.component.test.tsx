import { expect, test, vi } from 'vitest';
import { show } from '../../testing/components.tsx';
import { dismissToasts, toast } from './toast.tsx';

const run = (): void => undefined;

test('a message with Undo stays until it is dismissed or the next one replaces it; others leave by themselves', async () => {
  const screen = await show(<p>page</p>);
  vi.useFakeTimers();
  try {
    toast({ text: 'Told Ana', action: { label: 'Undo', run } });
    toast({ text: 'Saved' });
    await vi.advanceTimersByTimeAsync(600_000);
  } finally {
    vi.useRealTimers();
  }
  await expect.element(screen.getByText('Told Ana')).toBeVisible();
  await expect.poll(() => screen.getByText('Saved').query()).toBeNull();

  for (const text of ['One', 'Two', 'Three']) toast({ text });
  await expect.element(screen.getByText('Three')).toBeVisible();
  await expect.element(screen.getByText('Told Ana')).toBeVisible();
  expect(screen.getByText('One').query()).toBeNull();
  dismissToasts();

  toast({ text: 'Told Ana', action: { label: 'Undo', run } });
  toast({ text: 'Told Kai', action: { label: 'Undo', run } });
  await expect.element(screen.getByText('Told Kai')).toBeVisible();
  expect(screen.getByText('Told Ana').query()).toBeNull();
  await screen.getByRole('button', { name: 'Dismiss' }).click();
  await expect.poll(() => screen.getByText('Told Kai').query()).toBeNull();
});
