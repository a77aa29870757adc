import { expect, test } from 'vitest';
import { show } from '../../../testing/components.tsx';
import type { Bar } from '../bars.ts';
import { initialsOf, shortName } from '../labels.ts';
import { barElement } from './bar-element.ts';

const bar = (label: string, more: Partial<Bar> = {}): Bar => ({
  id: label,
  appointments: [],
  kind: 'booked',
  label,
  short: shortName(label),
  initials: initialsOf(label),
  more: null,
  window: { start: 480, end: 540 },
  joins: null,
  brackets: [],
  clash: false,
  wrong: [],
  cover: false,
  lane: 0,
  name: label,
  from: 0,
  to: 1,
  ...more,
});

/** How wide a text is in the font of an element or of its pseudo-element. */
function widthOf(text: string, style: CSSStyleDeclaration): number {
  const probe = document.createElement('span');
  const { fontFamily, fontSize, fontWeight, fontStretch, letterSpacing } = style;
  Object.assign(probe.style, { fontFamily, fontSize, fontWeight, fontStretch, letterSpacing });
  Object.assign(probe.style, { position: 'absolute', whiteSpace: 'nowrap' });
  probe.textContent = text;
  document.body.append(probe);
  const { width } = probe.getBoundingClientRect();
  probe.remove();
  return width;
}

/** The forms of the name that a bar of a width shows, each with how much of it is cut off. */
function forms(element: HTMLElement): [string, number][] {
  const full = element.querySelector<HTMLElement>('span');
  const texts: [string, CSSStyleDeclaration][] = [
    [full?.textContent ?? '', full ? getComputedStyle(full) : getComputedStyle(element)],
    [element.dataset['short'] ?? '', getComputedStyle(element, '::after')],
    [element.dataset['initials'] ?? '', getComputedStyle(element, '::before')],
  ];
  return texts.flatMap(([text, style]): [string, number][] => {
    const room = Number.parseFloat(style.width);
    return room < 1 ? [] : [[text, Math.max(0, widthOf(text, style) + Number.parseFloat(style.textIndent) - room)]];
  });
}

const NAMES = [
  'Gabriela Walker',
  'Bo',
  'Tamika St. James',
  'Alejandra Montgomery-Whitfield',
  'Wim Mam',
  'Ili Lil',
  'Æthelwulf Ó Súilleabháin',
  'Wanda Mwangi + 3',
];
const KINDS: Partial<Bar>[] = [
  {},
  { kind: 'open', more: 'needs cover' },
  { kind: 'gone', more: 'Cancelled' },
  { cover: true, more: 'for Alejandra Montgomery' },
  { kind: 'supervision', more: 'Supervision' },
];

test.each([24, 36, 48, 64, 80, 96, 120, 144, 168, 240, 400])(
  'a bar %d px wide shows the longest form of its name that fits, and never a part of one',
  async (width) => {
    const screen = await show(<div />);
    const seen = new Set<string>();
    for (const name of NAMES) {
      for (const kind of KINDS) {
        const element = barElement(bar(name, kind));
        element.style.position = 'relative';
        element.style.width = `${width}px`;
        screen.container.append(element);
        const shown = forms(element);
        expect(
          shown.map(([text]) => text),
          `${name}, ${kind.kind ?? 'booked'}`,
        ).toHaveLength(1);
        // The widest initials in the narrowest hollow bar may touch its edges.
        for (const [text, cut] of shown) expect(cut, text).toBeLessThan(width <= 24 ? 3 : 1);
        expect(element.scrollWidth).toBeLessThanOrEqual(element.clientWidth);
        const rest = element.querySelectorAll('span')[1];
        if (rest && rest.clientWidth > 0)
          expect(rest.scrollWidth, rest.textContent).toBeLessThanOrEqual(rest.clientWidth);
        for (const [text] of shown) seen.add(text === name ? 'whole' : text.length > 2 ? 'short' : 'initials');
        element.remove();
      }
    }
    // A wide bar has room for every name, a quarter of an hour for few.
    if (width >= 400) expect([...seen]).toEqual(['whole']);
    else if (width <= 24) expect(seen.has('initials')).toBe(true);
  },
);
