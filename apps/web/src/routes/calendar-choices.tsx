import { Segmented } from '../shared/ui/segmented.tsx';
import css from './calendar-page.module.css';

export const VIEWS = [
  { value: 'therapist', label: 'Therapist View' },
  { value: 'client', label: 'Client View' },
] as const;

const SPANS = [
  { value: 'day', label: 'Day' },
  { value: 'week', label: 'Week' },
] as const;

/** The choice between a day and its week. */
export const SpanChoice = ({ value, onChange }: { value: 'day' | 'week'; onChange: () => void }) => (
  <span className={css.span}>
    <Segmented label="Span" value={value} options={SPANS} onChange={onChange} />
  </span>
);
