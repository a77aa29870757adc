import { expect, test } from 'vitest';
import { show } from '../../../testing/components.tsx';
import { FigureTable } from './figure-table.tsx';

const ROWS = [
  { id: 'a', name: 'Ana Ruiz', booked: 1650, worked: 0 },
  { id: 'b', name: 'Kai Wood', booked: 65, worked: 65 },
];

const table = (width: number) => (
  <div style={{ width, display: 'flex', flexDirection: 'column' }}>
    <FigureTable
      title="Hours"
      caption="Hours by therapist"
      who="Therapist"
      words={{ booked: 'Booked', worked: 'Worked' }}
      columns={[
        { label: 'Maximum', cell: () => '40 h' },
        { label: 'Number', words: true, cell: () => 'A-41323' },
      ]}
      rows={ROWS}
      onOpen={() => undefined}
    />
  </div>
);

test('figures are right-aligned under their heads, words are not, and none is a dash', async () => {
  const screen = await show(table(900));
  const align = (element: Element): string => getComputedStyle(element).textAlign;
  const heads = screen.getByRole('columnheader').elements();
  expect(heads.map((head) => [head.textContent, align(head)])).toEqual([
    ['Therapist', 'left'],
    ['Booked', 'right'],
    ['Worked', 'right'],
    ['Maximum', 'right'],
    ['Number', 'left'],
  ]);
  const [, first] = screen.getByRole('row').elements();
  const cells = [...(first?.querySelectorAll('td') ?? [])];
  expect(cells.map(align)).toEqual(['right', 'right', 'right', 'left']);
  expect(cells[1]?.textContent).toBe('–');
});

test('a figure that leads to its sessions is underlined under the pointer and in focus only', async () => {
  const screen = await show(table(900));
  const link = screen.getByRole('button', { name: /^27 h 30 min ?, booked, Ana Ruiz/ });
  const line = (): string => getComputedStyle(link.element()).textDecorationColor;
  expect(line()).toBe('rgba(0, 0, 0, 0)');
  await link.hover();
  await expect.poll(line).not.toBe('rgba(0, 0, 0, 0)');
});

test('a table that scrolls sideways says so; one that fits does not', async () => {
  const wide = await show(table(900));
  await expect.element(wide.getByRole('table')).toBeVisible();
  expect(wide.getByText(/^Scroll sideways/).query()).toBeNull();
  await wide.unmount();
  const narrow = await show(table(220));
  await expect.element(narrow.getByText(/^Scroll sideways/)).toBeVisible();
});
