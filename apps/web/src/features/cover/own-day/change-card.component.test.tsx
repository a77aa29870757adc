import { expect, test } from 'vitest';
import type { OwnChange } from '@clinic/contract';
import { show } from '../../../testing/components.tsx';
import { ChangeCard } from './change-card.tsx';

const CHANGE: OwnChange = {
  date: '2026-11-24',
  location: 'altamonte',
  place: 'Altamonte',
  version: 'v1',
  call: 'inform',
  say: ['Bo Lee from 12:00 to 3:00 is cancelled.'],
  gone: [],
  seen_at: null,
  said_no: false,
};

test.each([
  ['with something to refuse', { can_refuse: true }, ['Seen', 'I can’t']],
  ['of an older server', {}, ['Seen', 'I can’t']],
  ['with nothing to refuse', { can_refuse: false }, ['Seen']],
])('given a change %s, then its buttons fit', async (_name, more, buttons) => {
  const screen = await show(<ChangeCard change={{ ...CHANGE, ...more }} today="2026-11-24" />);
  expect(
    screen
      .getByRole('button')
      .elements()
      .map((each) => each.textContent),
  ).toEqual(buttons);
});
