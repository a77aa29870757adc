import { expect, test } from 'vitest';
import { show } from '../../../../testing/components.tsx';
import type { OfferedCell } from '@clinic/contract';
import { cellView } from '../table.ts';
import { OptionCell } from './option-cell.tsx';

const SESSION = { start: 480, end: 690 };
const offered = (therapist: string, status: string, more: Partial<OfferedCell> = {}): OfferedCell => ({
  therapist,
  status,
  branch_state: 'p_1.1.1',
  ...more,
});
type Slots = Readonly<Record<string, OfferedCell>>;

/** Shows one cell, of a column as wide as the table has, with what is wrong with its pieces. */
async function cell(slots: Slots, { width = 224, wrong = {}, picked = false } = {}) {
  const screen = await show(
    <table style={{ tableLayout: 'fixed', width }}>
      <tbody>
        <tr>
          <OptionCell
            session={SESSION}
            pieces={Object.entries(slots).map(([slot, one]) => cellView(slot, one))}
            client="Bo Lee"
            option="Option 1"
            at="0:0"
            picked={picked}
            first
            last
            mode="submit"
            wrong={new Map(Object.entries(wrong))}
            active
            whyOpen={false}
          />
        </tr>
      </tbody>
    </table>,
  );
  const bars = [...screen.container.querySelectorAll<HTMLElement>('[title][style]')];
  const strip = bars[0]?.parentElement?.getBoundingClientRect();
  return {
    screen,
    bars,
    /** Each piece's share of the strip: where it starts and ends. */
    spans: bars.map((bar) => {
      const { left, right } = bar.getBoundingClientRect();
      const at = (x: number): number => Math.round(((x - (strip?.left ?? 0)) / (strip?.width ?? 1)) * 100) / 100;
      return [at(left), at(right)];
    }),
    /** What is legible in each piece. */
    shown: bars.map((bar) =>
      [...bar.children]
        .filter((form) => form.getBoundingClientRect().width > 1)
        .map((form) => form.textContent)
        .join('|'),
    ),
  };
}

const CUT = {
  '8:00 AM - 9:30 AM': offered('Gabriela Walker', 'Cover', { familiarity: 'new' }),
  '9:30 AM - 10:15 AM': offered('Unassigned', 'Unassigned'),
  '10:15 AM - 11:30 AM': offered('Lin Park', 'Cover', { familiarity: 'team' }),
};

test('a cut session is a strip over its own span: filled where somebody is, hollow where nobody is, with the names below', async () => {
  const { screen, bars, spans } = await cell(CUT);
  expect(spans).toEqual([
    [0, 0.43],
    [0.43, 0.64],
    [0.64, 1],
  ]);
  expect(bars.map((bar) => getComputedStyle(bar).borderLeftStyle)).toEqual(['none', 'dashed', 'none']);
  expect(bars.map((bar) => bar.title)).toEqual([
    '8:00 AM - 9:30 AM Gabriela Walker Cover, new face',
    '9:30 AM - 10:15 AM Unassigned 45 min',
    '10:15 AM - 11:30 AM Lin Park Cover, team',
  ]);
  for (const name of ['Gabriela Walker', 'Lin Park'])
    await expect.element(screen.getByText(name, { exact: true }).last()).toBeVisible();
  const said =
    '8–9:30 Gabriela Walker Cover, new face · 9:30–10:15 Unassigned 45 min · 10:15–11:30 Lin Park Cover, team';
  await expect.element(screen.getByRole('button', { name: said })).toBeVisible();
});

const LONG = [
  'Gabriela Walker',
  'Tamika St. James',
  'Alejandra Montgomery-Whitfield',
  'Bo',
  'Æthelwulf Ó Súilleabháin',
];

test.each([120, 156, 194, 224, 400])(
  'in a column %d px wide, each piece shows one form of its name, whole or shorter, and never a part of one',
  async (width) => {
    for (const name of LONG) {
      for (const [from, to] of [
        ['8:00 AM', '11:30 AM'],
        ['8:00 AM', '10:00 AM'],
        ['8:00 AM', '8:30 AM'],
        ['8:00 AM', '8:15 AM'],
      ] as const) {
        const slots = { [`${from} - ${to}`]: offered(name, 'Cover'), [`${to} - 11:30 AM`]: offered('Lin', 'Cover') };
        const { bars, shown, screen } = await cell(
          to === '11:30 AM' ? { '8:00 AM - 11:30 AM': offered(name, 'Cover') } : slots,
          { width },
        );
        expect(shown[0]).not.toContain('|');
        for (const form of bars[0]?.children ?? []) {
          if (form.getBoundingClientRect().width > 1)
            expect(form.scrollWidth).toBeLessThanOrEqual(form.clientWidth + 1);
        }
        await screen.unmount();
      }
    }
  },
);

test('alarm colour is only where it was chosen: an open piece elsewhere has none', async () => {
  const alarm = (element: Element | undefined): string => (element ? getComputedStyle(element).borderLeftColor : '');
  const plain = alarm((await cell(CUT)).bars[1]);
  const chosen = alarm((await cell(CUT, { picked: true })).bars[1]);
  expect(plain).not.toBe(chosen);
});

test('a whole session without a therapist says so once, and a clash says what is wrong', async () => {
  const open = await cell({ '8:00 AM - 11:30 AM': offered('Unassigned', 'Unassigned') });
  expect(open.shown).toEqual(['Unassigned']);
  await expect.element(open.screen.getByText('Nobody, 3 h 30 min')).toBeVisible();
  await open.screen.unmount();
  const clash = await cell(CUT, { wrong: { '10:15 AM - 11:30 AM': 'In two places' } });
  await expect.element(clash.screen.getByText('In two places')).toBeVisible();
});

test('times that cannot be read cost the strip its shape, not its names', async () => {
  const { shown } = await cell({ someday: offered('Lin Park', 'Cover'), later: offered('Kai Wood', 'Replacement') });
  expect(shown).toEqual(['Lin Park', 'Kai Wood']);
});
