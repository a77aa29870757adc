import { LEAD_FIGURES, type LeadFigure, type OptionFigures } from '@clinic/contract';
import { duration } from '@clinic/domain';

/** One of the figures by which people compare options. */
export interface HeadFigure {
  name: string;
  value: string;
  /** The option is named for it. */
  leads: boolean;
}

const NAMES: Readonly<Record<LeadFigure, string>> = {
  minutes_kept: 'care kept',
  calls: 'to tell',
  new_faces: 'new faces',
  cuts: 'cuts in sessions',
  bcba_minutes: 'by BCBAs',
};

/** The figures of an option's head, the same for every option and in one order. */
export const headFigures = (figures: OptionFigures): HeadFigure[] =>
  LEAD_FIGURES.map((key) => ({
    name: NAMES[key],
    value:
      key === 'minutes_kept' || key === 'bcba_minutes' ? duration(figures[key]) : figures[key].toLocaleString('en-US'),
    leads: figures.leads_in === key,
  }));
