import { expect, test } from 'vitest';
import { parseWindow } from './parse-window.ts';

test.each([
  ['camila 7-10', 'camila', '07:00', '10:00'],
  ['camila r 7am - 1:30pm', 'camila r', '07:00', '13:30'],
  ['ana 9 to 5', 'ana', '09:00', '17:00'],
  ['ana 1-3', 'ana', '13:00', '15:00'],
  ['ana from 1', 'ana', '13:00', '23:59'],
  ['ana until 10', 'ana', '00:00', '10:00'],
])('%s is read as a name and a window', (typed, rest, startTime, endTime) => {
  expect(parseWindow(typed)).toEqual({ rest, window: { startTime, endTime } });
});

test.each(['camila', '7-10', 'ana 10-9am', 'ana 25-26', 'ana 9:75-10'])('%s is not read as a window', (typed) => {
  expect(parseWindow(typed)).toBeNull();
});
