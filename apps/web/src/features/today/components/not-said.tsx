import { useEffect, useRef, useState } from 'react';
import type { TodayReply } from '@clinic/contract';
import { parseDate, shortDate, type Location } from '@clinic/domain';
import { namedPath } from '../../../shared/person-path.ts';
import { Link } from '../../../shared/router/link.tsx';
import { NOT_SAID, offered } from '../../../shared/causes/model.ts';
import { useCauses, useSayWhy } from '../../../shared/causes/use-causes.ts';
import { Button } from '../../../shared/ui/button.tsx';
import { Options } from '../../../shared/ui/field.tsx';
import { PlainSelect } from '../../../shared/ui/plain-field.tsx';
import { awayWords } from '../model.ts';
import { warn } from '../../../shared/use-act.ts';
import css from './not-said.module.css';

/**
 * The week's absences and cancellations without a cause: a single line until `Show all`, since this is not the
 * morning's work. Choosing a cause saves it at once.
 */
export function NotSaid({ list, location }: { list: TodayReply['not_said']; location: Location }) {
  const causes = offered(useCauses().data ?? [], NOT_SAID);
  const say = useSayWhy();
  const [all, setAll] = useState(false);
  const items = useRef<HTMLUListElement>(null);
  const refocus = useRef<number | null>(null);
  // Choosing a cause removes the entry from the list; the next entry then gets the focus.
  useEffect(() => {
    const selects = items.current?.querySelectorAll('select') ?? [];
    if (refocus.current !== null) selects[Math.min(refocus.current, selects.length - 1)]?.focus();
    refocus.current = null;
  }, [list.length]);
  if (!all)
    return (
      <Button variant="link" onClick={() => setAll(true)}>
        Show all {list.length}
      </Button>
    );
  return (
    <ul className={css.list} ref={items}>
      {list.map(({ kind, key, name, type, date, start, end }, index) => {
        const day = parseDate(date);
        const what = kind === 'absence' ? 'away' : 'session cancelled';
        return (
          <li key={`${kind}:${key}`}>
            <span className={css.who}>
              <Link to={namedPath(type)} search={{ name }}>
                {name}
              </Link>{' '}
              <span className="muted">{what}</span>
            </span>
            <span>
              {day ? (
                <Link to="/calendar" search={{ date: day, location, view: type, find: name }}>
                  <span className="sr">{name}, </span>
                  {shortDate(day)}, <span className={css.times}>{awayWords(start, end)}</span>
                </Link>
              ) : null}
            </span>
            <PlainSelect
              data-writes
              aria-label={`Reason for ${name}, ${day ? shortDate(day) : date}`}
              value={NOT_SAID}
              onChange={({ target }) => {
                refocus.current = index;
                const loss = { cause: target.value };
                const onError = (error: Error): void => {
                  refocus.current = null;
                  warn('the list')(error);
                };
                say.mutate({ kind, key, loss }, { onError });
              }}
            >
              <option value={NOT_SAID}>No reason yet</option>
              <Options of={causes.map(({ id, label }) => [id, label])} />
            </PlainSelect>
          </li>
        );
      })}
    </ul>
  );
}
