import { expect, test } from 'vitest';
import { whyPlace } from './why-place.ts';

const SIZE = { width: 300, height: 200 };
const VIEW = { width: 1000, height: 700 };
/** A cell from the left edge `left`, 300 wide, with its button at the right. */
const at = (left: number, top = 100, names = 150) => {
  const cell = { left, right: left + 300, top, bottom: top + 60 };
  return { cell, button: { left: left + 270, right: left + 290, top: top + 10, bottom: top + 30 }, names };
};

test('the reasons are on the side of the cell that has room, and do not cover the clients’ names', () => {
  expect(whyPlace(SIZE, at(200), VIEW)).toEqual({ top: 100, left: 508 });
  expect(whyPlace(SIZE, at(600), VIEW)).toEqual({ top: 100, left: 292 });
  expect(whyPlace(SIZE, at(458), VIEW).left).toBe(150);
  expect(whyPlace(SIZE, at(384), VIEW).left).toBe(692);
});

test('beside a cell near the top or the bottom, the reasons stay inside the window', () => {
  expect(whyPlace(SIZE, at(200, -40), VIEW).top).toBe(8);
  expect(whyPlace(SIZE, at(200, 650), VIEW).top).toBe(492);
});

test('with room on neither side of the cell, the reasons are below their button, and above it at the bottom of the window', () => {
  expect(whyPlace(SIZE, at(430), VIEW)).toEqual({ top: 138, left: 444 });
  expect(whyPlace(SIZE, at(430, 600), VIEW)).toEqual({ top: 402, left: 444 });
  // A window that is hardly wider than the reasons.
  expect(whyPlace(SIZE, at(0), { width: 320, height: 700 })).toEqual({ top: 138, left: 12 });
  expect(whyPlace(SIZE, at(0), { width: 310, height: 700 }).left).toBe(8);
  expect(whyPlace(SIZE, at(430, 150), { width: 1000, height: 240 }).top).toBe(8);
});
