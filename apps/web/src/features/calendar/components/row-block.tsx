import { memo } from 'react';
import grid from './calendar-grid.module.css';
import type { View } from '../bars.ts';
import { lanesOf, selectionOf, touches, touching } from '../model.ts';
import { type AwayWindow, type BaseRow } from '../rows.ts';
import type { RowHeight } from '../use-density.ts';
import type { Filling } from './filling.ts';
import type { RowInput } from './row-element.ts';
import { useRowElements } from './use-row-elements.ts';

// How many rows the browser lays out together. About three such blocks are in view, whatever the window's height.
const BLOCK_ROWS = 12;

export interface Block {
  /** The index of the block's first row in the whole list. */
  first: number;
  rows: readonly BaseRow[];
  /**
   * How many lanes the block has in addition to one for each row. The block's height follows from this number and the
   * number of rows.
   */
  more: number;
}

export function blocksOf(rows: readonly BaseRow[]): Block[] {
  return Array.from({ length: Math.ceil(rows.length / BLOCK_ROWS) }, (_, index) => {
    const first = index * BLOCK_ROWS;
    const list = rows.slice(first, first + BLOCK_ROWS);
    return { first, rows: list, more: list.reduce((sum, row) => sum + lanesOf(row).count - 1, 0) };
  });
}

/** The data and callbacks from which the rows are drawn. */
export interface RowsProps {
  rows: readonly BaseRow[];
  view: View;
  density: RowHeight;
  /** The selected absences, for marking the names at once. */
  newest: readonly AwayWindow[];
  /**
   * The selected absences for drawing the bars; may be one frame behind `newest`. Each row picks those that affect it.
   */
  selected: readonly AwayWindow[];
  stored: readonly AwayWindow[];
}

type BlockProps = Block & Omit<RowsProps, 'density'> & { filling: Filling };

/** Rows that the browser lays out and paints together, or skips together while they are out of view. */
export const RowBlock = memo(function RowBlock(props: BlockProps) {
  const { first, rows, more, view, newest, selected, stored, filling } = props;
  const inputs = (): RowInput[] =>
    rows.map((row, index) => ({
      row,
      view,
      index: first + index,
      own: selectionOf(row, view, newest),
      selected: touching(row, view, selected),
      stored: touching(row, view, stored),
    }));
  const box = useRowElements(inputs, (draw) => filling.put({ first, end: first + rows.length, draw }));
  return (
    <div
      ref={box}
      role="rowgroup"
      className={grid.block}
      style={{ '--rows': rows.length, '--more': more || undefined }}
    />
  );
}, same);

/** Whether two sets of props draw the block's rows the same way. */
function same(a: Readonly<BlockProps>, b: Readonly<BlockProps>): boolean {
  return (
    a.rows === b.rows &&
    a.first === b.first &&
    a.view === b.view &&
    sameTouching(b, a.newest, b.newest) &&
    sameTouching(b, a.selected, b.selected) &&
    sameTouching(b, a.stored, b.stored)
  );
}

function sameTouching({ rows, view }: BlockProps, a: readonly AwayWindow[], b: readonly AwayWindow[]): boolean {
  if (a === b) return true;
  const changed = [...a.filter((each) => !b.includes(each)), ...b.filter((each) => !a.includes(each))];
  return !rows.some((row) => changed.some((window) => touches(row, view, window)));
}
