import { useId } from 'react';
import type { SeriesReply } from '@clinic/contract';
import { apartInWords, seriesInWords, type Scope } from '../model.ts';
import css from '../session-dialog.module.css';

/** Asks whether a change to a session in a weekly series applies to this session only, or to all later ones too. */
export function ScopeChoice({
  series,
  value,
  onChange,
}: {
  series: SeriesReply;
  value: Scope;
  onChange: (scope: Scope) => void;
}) {
  const name = useId();
  const radio = (scope: Scope) => (
    <input type="radio" name={name} value={scope} checked={value === scope} onChange={() => onChange(scope)} />
  );
  return (
    <fieldset data-writes className={css.scope}>
      <legend>This session is part of a weekly series</legend>
      <label>
        {radio('one')}
        <span>Change this session only</span>
      </label>
      <label>
        {radio('following')}
        <span>
          {series.dates.length === 0
            ? 'Change this and those to come'
            : `Change this and the following: ${seriesInWords(series)}${series.goes_on ? ', and those to come' : ''}`}
          <span className="small muted">
            These sessions all change together. If you move this one to another day, the others move by the same number
            of days.
            {apartInWords(series)}
          </span>
        </span>
      </label>
      {series.earlier !== undefined && series.earlier.length > 0 ? (
        <label>
          {radio('all')}
          <span>Change all that are still to come: {seriesInWords(series, 'all')}</span>
        </label>
      ) : null}
    </fieldset>
  );
}
