import { LEAD_FIGURES, type LeadFigure } from '@clinic/contract';
import { duration } from '@clinic/domain';
import type { ShownFigures } from '../../../shared/api/whole-proposal.ts';

/** A figure that people use to compare options. */
export interface HeadFigure {
  name: string;
  value: string;
  /** What belongs to the figure: `4 not in yet`. */
  note?: string;
  /** How much of the whole it is, from 0 to 1. */
  part?: number;
  /** Whether the option is named for this figure. */
  leads: boolean;
}

/** The cells mark a new face with a sign, which stands beside these words too. */
export const NEW_FACES = 'New faces';
/** Beside these words stands what the second figure is: all whom the option makes one tell. */
export const EXTRA_CALLS = 'Extra calls';

/**
 * The words for what each figure counts. `calls` counts only the people who are told because of this option; the call
 * list also has everyone who is told in any case.
 */
const NAMES: Readonly<Record<LeadFigure, string>> = {
  minutes_kept: 'Care kept',
  calls: EXTRA_CALLS,
  new_faces: NEW_FACES,
  cuts: 'Handovers',
  bcba_minutes: 'By BCBAs',
};

const LEAST = 'of all plans about as good as Option 1';

/** What it means that an option puts a figure first. It continues the label where that names the figure already. */
const PROMISES: Readonly<Partial<Record<LeadFigure, string>>> = {
  calls: LEAST,
  new_faces: LEAST,
  cuts: `fewest handovers ${LEAST}`,
  bcba_minutes: `least time by BCBAs ${LEAST}`,
};

const isTime = (key: LeadFigure): boolean => key === 'minutes_kept' || key === 'bcba_minutes';

/** The names of the figures that at least one option has, in the order in which every head shows them. */
export const figureNames = (heads: readonly (ShownFigures | null)[]): string[] =>
  LEAD_FIGURES.filter((key) => heads.some((figures) => figures?.[key] !== undefined)).map((key) => NAMES[key]);

/**
 * The figures in an option's head, in the same order for every option. Figures that the server did not send are left
 * out.
 * @param toTell how many people the option makes one tell in all, if that is known
 */
export const headFigures = (figures: ShownFigures, toTell?: number): HeadFigure[] =>
  LEAD_FIGURES.flatMap((key) => {
    const known = figures[key];
    if (known === undefined) return [];
    const value = isTime(key) ? duration(known) : known.toLocaleString('en-US');
    const notes = [
      ...(toTell === undefined ? [] : [`of ${toTell.toLocaleString('en-US')}`]),
      ...(figures.not_in_yet ? [`${figures.not_in_yet} not in yet`] : []),
    ];
    const note = key === 'calls' && notes.length > 0 ? { note: notes.join(' · ') } : {};
    const left = key === 'minutes_kept' ? leftOpen(figures) : {};
    return [{ name: NAMES[key], value, ...note, ...left, leads: figures.leads_in === key }];
  });

/** How much care an option leaves open. */
function leftOpen({ minutes_kept: kept, minutes_needed: needed }: ShownFigures): Pick<HeadFigure, 'note' | 'part'> {
  if (kept === undefined || needed === undefined || kept >= needed) return {};
  return { note: `${duration(needed - kept)} open`, part: kept / needed };
}

/** What is proven of an option: that no plan about as good as Option 1 is better in the figure that it is named for. */
export function promiseWords({ proven, leads_in }: ShownFigures): string | null {
  if (!proven) return 'best found so far';
  const words = LEAD_FIGURES.find((key) => key === leads_in);
  const promise = words && PROMISES[words];
  return promise ?? null;
}
