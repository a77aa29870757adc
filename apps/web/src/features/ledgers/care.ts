import type { CareReply, CareRow, CareSession } from '@clinic/contract';
import { toCsv } from '@clinic/domain';
import { inHours } from './model.ts';

/** The ledger of care as a table. Pure. */

export const CARE_FIGURES = ['booked', 'delivered', 'lost'] as const;
export type CareFigure = (typeof CARE_FIGURES)[number];

export const CARE_WORDS: Readonly<Record<CareFigure, string>> = {
  booked: 'Booked',
  delivered: 'Delivered',
  lost: 'Lost',
};

/** How much of the booked care was lost, in percent. */
export const lostShare = ({ booked, lost }: CareRow): number => (booked === 0 ? 0 : Math.round((100 * lost) / booked));

/** The sessions that make up a figure; one that took place in part counts as delivered and as lost. */
export const careSessionsOf = (sessions: readonly CareSession[], figure: CareFigure): CareSession[] =>
  sessions.filter(({ delivered, booked }) =>
    figure === 'booked' ? true : figure === 'delivered' ? delivered > 0 : delivered < booked,
  );

const orNone = (minutes: number | null): number | null => (minutes === null ? null : inHours(minutes));

/** The ledger as CSV, in hours. */
export function careCsv({ from, until, rows }: CareReply): string {
  return toCsv([
    [
      'Client',
      'Booked',
      'Delivered',
      'Lost',
      'Share lost, percent',
      'Priority, percent',
      'Authorized',
      'Left',
      'From',
      'Until',
    ],
    ...rows.map((row) => [
      ...[row.name, inHours(row.booked), inHours(row.delivered), inHours(row.lost)],
      ...[lostShare(row), row.priority, orNone(row.authorized), orNone(row.left), from, until],
    ]),
  ]);
}
