import { useRef, useState, type FocusEvent, type KeyboardEvent, type MouseEvent, type RefObject } from 'react';
import { longDate } from '@clinic/domain';
import type { ToTell } from '../api/use-ways.ts';
import type { Mode, More } from '../model.ts';
import type { CellPlace, ClientBlock, DateTable } from '../table.ts';
import type { ProposalView } from '../use-proposal-view.ts';
import { ClientRows } from './client-rows.tsx';
import { OptionHeads } from './option-heads.tsx';
import css from './option-table.module.css';

interface OptionTableProps {
  view: ProposalView;
  /** The view's table. */
  table: DateTable;
  toTell: ToTell;
  /** The clients in the table: all, or only those that need a decision. */
  blocks: readonly ClientBlock[];
  mode: Mode;
  more: More;
  /** The cell whose *Why?* is open. */
  why: CellPlace | null;
  onPick: (client: string, option: string) => void;
  onAll: (option: string) => void;
  /** Looks longer for options that were not found in time; null if that would not help. */
  onLonger: (() => void) | null;
  onWhy: (cell: CellPlace, button: HTMLElement) => void;
}

/** The options as a grid with one tab stop. Enter or Space chooses a cell, and Tab moves on to the cell's *Why?*. */
export function OptionTable(props: OptionTableProps) {
  const { table, blocks, why } = props;
  const { selection: picked, kept, faulty, conflicts } = props.view;
  const box = useRef<HTMLTableElement>(null);
  const rows = blocks.flatMap((block) => block.rows.map((row) => ({ client: block.client, row })));
  const real = table.columns.filter((c) => c.real).length;
  // A column without an option is narrow, unless one may still arrive: that must not make the others narrower.
  const narrow = props.more === 'finding' || props.more === 'longer' ? 0 : table.columns.length - real;
  const { active, onFocus, onKeyDown } = useCellFocus(box, rows.length, real);

  const cellAt = (at: string): CellPlace | null => {
    const [r = 0, c = 0] = at.split(':').map(Number);
    const found = rows[r];
    const option = table.columns[c]?.name;
    return found && option ? { client: found.client, row: found.row.id, option } : null;
  };

  const onClick = (event: MouseEvent): void => {
    const hit = (event.target as Element).closest<HTMLElement>('[data-do], td');
    // Beside its buttons, a cell can be clicked too, and is chosen.
    const button = hit?.matches('td') ? hit.querySelector<HTMLElement>('[data-do="pick"]') : hit;
    const cell = cellAt(button?.dataset['at'] ?? '');
    if (!button || !cell) return;
    if (button.dataset['do'] === 'why') props.onWhy(cell, button);
    else props.onPick(cell.client, cell.option);
  };
  const offsets = blocks.map((_, i) => blocks.slice(0, i).reduce((sum, b) => sum + b.rows.length, 0));
  return (
    <table
      ref={box}
      className={css.options}
      role="grid"
      data-mode={props.mode}
      style={{ '--columns': table.columns.length - narrow, '--narrow-columns': narrow }}
      onClick={onClick}
      onFocus={onFocus}
      onKeyDown={onKeyDown}
    >
      <caption className="sr">Options for {longDate(table.date)}</caption>
      <colgroup>
        <col className={css.who} />
        {table.columns.map((c) => (
          <col key={c.name} className={!c.real && narrow > 0 ? css.narrow : undefined} />
        ))}
      </colgroup>
      <OptionHeads
        table={table}
        toTell={props.toTell}
        mode={props.mode}
        more={props.more}
        onAll={props.onAll}
        onLonger={props.onLonger}
      />
      {blocks.map((block, i) => {
        const at = offsets[i] ?? 0;
        return (
          <ClientRows
            key={block.client}
            block={block}
            columns={table.columns}
            offset={at}
            picked={picked[block.client]}
            kept={kept.has(block.client)}
            mode={props.mode}
            faulty={[...faulty]
              .filter(([key]) => key.startsWith(`${block.client}\n`))
              .flat()
              .join('\t')}
            conflicts={conflicts}
            active={within(active, at, block.rows.length)}
            why={why?.client === block.client ? why : null}
          />
        );
      })}
    </table>
  );
}

/** The cell, if it is in these rows. */
function within(cell: string, first: number, rows: number): string | null {
  const row = Number(cell.split(':')[0]);
  return row >= first && row < first + rows ? cell : null;
}

/**
 * Moves the focus between the grid's cells; `active` is the tab stop. The arrow keys, Home, End, Page Up and Page Down
 * move between cells; Home and End with Control go to the first and last cell.
 */
function useCellFocus(box: RefObject<HTMLTableElement | null>, rows: number, columns: number) {
  const [focused, setFocused] = useState('0:0');
  const onFocus = (event: FocusEvent): void => {
    const at = (event.target as HTMLElement).dataset['at'];
    if (at !== undefined) setFocused(at);
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    const from = (event.target as HTMLElement).dataset['at'];
    if (from === undefined || event.altKey) return;
    const to = moved(event, from, rows, columns);
    if (to === null) return;
    event.preventDefault();
    const cell = box.current?.querySelector<HTMLElement>(`[data-do="pick"][data-at="${to}"]`);
    cell?.focus();
    cell?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
  };
  return { active: validAt(focused, rows, columns) ?? '0:0', onFocus, onKeyDown };
}

function validAt(at: string, rows: number, columns: number): string | null {
  const [r = -1, c = -1] = at.split(':').map(Number);
  return r >= 0 && r < rows && c >= 0 && c < columns ? at : null;
}

/** The cell to which a key moves the focus; null for a key that the grid does not use. */
function moved(event: KeyboardEvent, from: string, rows: number, columns: number): string | null {
  const [r = 0, c = 0] = from.split(':').map(Number);
  const far = event.ctrlKey || event.metaKey;
  const target: Record<string, [number, number]> = {
    ArrowUp: [r - 1, c],
    ArrowDown: [r + 1, c],
    ArrowLeft: [r, c - 1],
    ArrowRight: [r, c + 1],
    Home: [far ? 0 : r, 0],
    End: [far ? rows - 1 : r, columns - 1],
    PageUp: [r - 8, c],
    PageDown: [r + 8, c],
  };
  const to = target[event.key];
  if (!to) return null;
  const clamp = (n: number, most: number) => Math.max(0, Math.min(most - 1, n));
  return `${clamp(to[0], rows)}:${clamp(to[1], columns)}`;
}
