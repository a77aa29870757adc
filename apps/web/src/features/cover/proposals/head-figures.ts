import { LEAD_FIGURES, type LeadFigure } from '@clinic/contract';
import { duration } from '@clinic/domain';
import type { ShownFigures } from '../../../shared/api/whole-proposal.ts';

/** A figure that people use to compare options. */
export interface HeadFigure {
  name: string;
  value: string;
  /** Whether the option is named for this figure. */
  leads: boolean;
}

/**
 * The words for what each figure counts, singular and plural. `calls` counts only the people who are told because of
 * this option; the call list also has everyone who is told in any case.
 */
const NAMES: Readonly<Record<LeadFigure, readonly [string, string]>> = {
  minutes_kept: ['care kept', 'care kept'],
  calls: ['extra call', 'extra calls'],
  new_faces: ['new face', 'new faces'],
  cuts: ['handover', 'handovers'],
  bcba_minutes: ['by BCBAs', 'by BCBAs'],
};

const isTime = (key: LeadFigure): boolean => key === 'minutes_kept' || key === 'bcba_minutes';

/**
 * The figures in an option's head, in the same order for every option. Figures that the server did not send are left
 * out.
 */
export const headFigures = (figures: ShownFigures): HeadFigure[] =>
  LEAD_FIGURES.flatMap((key) => {
    const known = figures[key];
    if (known === undefined) return [];
    const away = key === 'calls' && figures.not_in_yet ? ` · ${figures.not_in_yet} not in yet` : '';
    const value = isTime(key) ? duration(known) : known.toLocaleString('en-US');
    const [one, several] = NAMES[key];
    return [{ name: `${known === 1 ? one : several}${away}`, value, leads: figures.leads_in === key }];
  });
