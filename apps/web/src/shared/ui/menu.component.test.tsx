import { expect, test, vi } from 'vitest';
import { userEvent } from 'vitest/browser';
import { show } from '../../testing/components.tsx';
import { Menu } from './menu.tsx';

async function opened() {
  const run = vi.fn();
  const entry = (label: string) => ({ label, run: () => void run(label) });
  const screen = await show(
    <Menu
      label="More"
      entries={[entry('Print'), entry('Export'), { kind: 'line' }, { kind: 'choice', chosen: true, ...entry('Dark') }]}
    >
      More
    </Menu>,
  );
  await screen.getByRole('button', { name: 'More' }).click();
  const item = (name: string) => screen.getByRole('menuitem', { name });
  await expect.element(item('Print')).toHaveFocus();
  return { screen, run, item, dark: screen.getByRole('menuitemradio', { name: 'Dark' }) };
}

test('the arrow keys go round, Home and End to the ends, and a letter to the entry that begins with it', async () => {
  const { item, dark } = await opened();
  await userEvent.keyboard('{ArrowUp}');
  await expect.element(dark).toHaveFocus();
  await userEvent.keyboard('{ArrowDown}');
  await expect.element(item('Print')).toHaveFocus();
  await userEvent.keyboard('{End}');
  await expect.element(dark).toHaveFocus();
  await userEvent.keyboard('{Home}');
  await expect.element(item('Print')).toHaveFocus();
  await userEvent.keyboard('e');
  await expect.element(item('Export')).toHaveFocus();
});

test('Enter runs the entry once, closes the menu and gives the focus back to the button', async () => {
  const { screen, run, item } = await opened();
  await userEvent.keyboard('{ArrowDown}{Enter}');
  expect(run.mock.calls).toEqual([['Export']]);
  await expect.element(item('Export')).not.toBeInTheDocument();
  await expect.element(screen.getByRole('button', { name: 'More' })).toHaveFocus();
});

test('Escape and Tab close the menu without running anything', async () => {
  for (const key of ['{Escape}', '{Tab}']) {
    const { screen, run, dark } = await opened();
    await userEvent.keyboard(key);
    await expect.element(dark).not.toBeInTheDocument();
    await expect.element(screen.getByRole('button', { name: 'More' })).toHaveAttribute('aria-expanded', 'false');
    expect(run).not.toHaveBeenCalled();
    await screen.unmount();
  }
});

test('a screen reader hears which choice holds', async () => {
  const { dark } = await opened();
  await expect.element(dark).toHaveAttribute('aria-checked', 'true');
});
