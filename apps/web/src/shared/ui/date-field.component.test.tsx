import { useState } from 'react';
import { expect, test } from 'vitest';
import { userEvent } from 'vitest/browser';
import { show } from '../../testing/components.tsx';
import { DateField } from './date-field.tsx';

const said: string[] = [];
function Fields({ keeps }: { keeps: boolean }) {
  const [date, setDate] = useState('2026-11-24');
  const onChange = (next: string): void => {
    said.push(next);
    setDate(next);
  };
  return (
    <>
      <DateField label="Until" value={date} keeps={keeps} onDate={onChange} />
      <button type="button">Next</button>
    </>
  );
}

const opened = async (keeps: boolean) => {
  said.length = 0;
  const screen = await show(<Fields keeps={keeps} />);
  const field = screen.getByLabelText('Until');
  await field.click({ position: { x: 14, y: 16 } });
  return { screen, field };
};

test('given a date typed digit by digit, only whole dates are told', async () => {
  const { field } = await opened(false);
  await userEvent.keyboard('12072027');
  await expect.element(field).toHaveValue('2027-12-07');
  expect(said).toEqual(['2026-01-24', '2026-12-24', '2026-12-07', '2027-12-07']);
});

test('a year that is left half typed is taken back', async () => {
  const { screen, field } = await opened(false);
  await userEvent.keyboard('1207202');
  await expect.element(field).toHaveValue('0202-12-07');
  await screen.getByRole('button', { name: 'Next' }).click();
  await expect.element(field).toHaveValue('2026-12-07');
  expect(said.at(-1)).toBe('2026-12-07');
});

for (const keeps of [false, true])
  test(`an emptied date ${keeps ? 'is taken back where one is needed' : 'is told'}`, async () => {
    const { screen, field } = await opened(keeps);
    await userEvent.keyboard('{Delete}{ArrowRight}{Delete}{ArrowRight}{Delete}');
    await screen.getByRole('button', { name: 'Next' }).click();
    expect(said).toEqual(keeps ? [] : ['']);
    if (keeps) await expect.element(field).toHaveValue('2026-11-24');
  });
