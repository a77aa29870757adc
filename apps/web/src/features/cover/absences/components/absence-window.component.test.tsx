import { causesEndpoints } from '@clinic/contract';
import { expect, test } from 'vitest';
import { serve, show } from '../../../../testing/components.tsx';
import { AbsenceWindow } from './absence-window.tsx';
import { PanelFoot } from './panel-foot.tsx';

const absence = (startTime: string, endTime: string) => (
  <ul style={{ width: 380 }}>
    <AbsenceWindow
      entry={{ name: 'Ana Ruiz', type: 'therapist', startTime, endTime }}
      at={0}
      single
      name="Ana Ruiz"
      problem={null}
      effect="2 sessions"
      dates={null}
      act={() => undefined}
    />
  </ul>
);

test('the reason takes its place before it arrives: nothing below it moves', async () => {
  serve([causesEndpoints.listCauses, []]);
  const screen = await show(absence('00:00', '23:59'));
  const group = screen.getByRole('group', { name: 'Absence of Ana Ruiz' });
  const height = (): number => group.element().getBoundingClientRect().height;
  expect(group.getByLabelText(/Reason/).query()).toBeNull();
  const before = height();
  await expect.element(group.getByLabelText(/Reason/)).toBeVisible();
  expect(Math.abs(height() - before)).toBeLessThanOrEqual(1);
});

test('a whole day is shown as All day until someone sets a time', async () => {
  serve([causesEndpoints.listCauses, []]);
  const screen = await show(absence('00:00', '23:59'));
  const from = screen.getByLabelText('From');
  const seen = (): string => getComputedStyle(from.element()).color;
  expect(seen()).toBe('rgba(0, 0, 0, 0)');
  const words = (): string =>
    getComputedStyle(from.element().closest('[data-all-day]') ?? from.element(), '::before').content;
  expect(words()).toBe('"All day"');
  (from.element() as HTMLElement).focus();
  await expect.poll(seen).not.toBe('rgba(0, 0, 0, 0)');
  expect(words()).toBe('none');
  await screen.unmount();
  const part = await show(absence('08:00', '10:00'));
  const start = part.getByLabelText('From');
  await expect.element(start).toBeVisible();
  expect(start.element().closest('[data-all-day]')).toBeNull();
  expect(getComputedStyle(start.element()).color).not.toBe('rgba(0, 0, 0, 0)');
});

test('[ABS-04] *Save Absences* is quiet while there is nothing to save, and can be clicked', async () => {
  let saved = 0;
  const foot = (touched: { sessions: number; minutes: number; families: number } | null) => (
    <PanelFoot touched={touched} anyStored={false} saving={false} onClear={() => undefined} onSave={() => saved++} />
  );
  const screen = await show(foot(null));
  const save = screen.getByRole('button', { name: 'Save Absences' });
  const ground = (): string => getComputedStyle(save.element()).backgroundColor;
  const quiet = ground();
  await save.click();
  expect(saved).toBe(1);
  await screen.rerender(foot({ sessions: 1, minutes: 60, families: 1 }));
  await expect.poll(ground).not.toBe(quiet);
});
