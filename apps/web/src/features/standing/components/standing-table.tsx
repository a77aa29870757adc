import { useRef, useState, type KeyboardEvent } from 'react';
import type { StandingChild, StandingOption, StandingReply } from '@clinic/contract';
import { duration, isoDate, possessive, shortDate, timeSlot, type IsoDate } from '@clinic/domain';
import { Button } from '../../../shared/ui/button.tsx';
import { cx } from '../../../shared/ui/class-names.ts';
import { Icon } from '../../../shared/ui/icon.tsx';
import { ScrollRegion } from '../../../shared/ui/scroll-region.tsx';
import { childWords, minutesOfChild, piecesOf, sameAs, sameFor, WEEKDAYS, type Choice } from '../model.ts';
import { OptionHead } from './option-head.tsx';
import { Ribbon } from './ribbon.tsx';
import { WhyPanel, type Why } from './why-panel.tsx';
import css from './standing.module.css';

interface TableProps {
  reply: StandingReply;
  weeks: readonly IsoDate[];
  choice: Choice;
  /** The option that is shown where there is room for only one. */
  shown: string;
  clashing: ReadonlySet<string>;
  onChoose: (choice: Choice) => void;
}

/** The options as columns, the children as rows: one cell is chosen for each child. */
export function StandingTable({ reply, weeks, choice, shown, clashing, onChoose }: TableProps) {
  const box = useRef<HTMLDivElement>(null);
  const [why, setWhy] = useState<Why | null>(null);
  const pick = (child: StandingChild, option: StandingOption) => onChoose({ ...choice, [child.id]: option.name });
  const explain = (child: StandingChild, option: StandingOption): void => {
    const words = child.series.flatMap(({ id, weekday }) =>
      (option.series[id]?.runs ?? []).map((run) => `${WEEKDAYS[weekday] ?? ''}: ${run.why.join(' ')}`),
    );
    setWhy({ key: `${child.id} ${option.name}`, title: `${option.name} for ${child.name}`, words, open: false });
  };

  const onKeyDown = (event: KeyboardEvent): void => {
    if (!box.current) return;
    const act = actOf(event, box.current, reply.options.length);
    if (act === 'close') setWhy(null);
    else if (act) {
      const [child, option] = [reply.children[act.row], reply.options[act.column]];
      if (child && option) explain(child, option);
    }
  };

  return (
    <div className={css.box} ref={box} onKeyDown={onKeyDown}>
      <ScrollRegion label="Options" className={css.scroll}>
        <table className={css.table}>
          <colgroup>
            <col className={css.who} />
            {reply.options.map(({ name }) => (
              <col key={name} data-shown={name === shown || undefined} />
            ))}
          </colgroup>
          <Head reply={reply} weeks={weeks} shown={shown} onChoose={onChoose} />
          {reply.children.map((child) => (
            <tbody key={child.id}>
              <tr className={css.child}>
                <th scope="rowgroup">
                  <b>{child.name}</b> <span className="small muted">{duration(minutesOfChild(child))}</span>
                </th>
                {reply.options.map((option) => (
                  <ChildCell
                    key={option.name}
                    reply={reply}
                    child={child}
                    option={option}
                    picked={choice[child.id] === option.name}
                    clashes={choice[child.id] === option.name && clashing.has(child.id)}
                    shown={option.name === shown}
                    onPick={() => pick(child, option)}
                    onWhy={() => explain(child, option)}
                  />
                ))}
              </tr>
              <SeriesRows {...{ reply, weeks, child, choice, shown, why }} onWhy={setWhy} />
            </tbody>
          ))}
        </table>
      </ScrollRegion>
      {why ? <WhyPanel why={why} onClose={() => setWhy(null)} /> : null}
    </div>
  );
}

/** The heads of the columns. */
function Head({ reply, weeks, shown, onChoose }: Pick<TableProps, 'reply' | 'weeks' | 'shown' | 'onChoose'>) {
  return (
    <thead>
      <tr>
        <th scope="col">
          <div className={css.name}>{reply.children.reduce((sum, { series }) => sum + series.length, 0)} series</div>
          <div className={css.label}>Child, weekday</div>
          <p className="small muted">Pick one option a child.</p>
        </th>
        {reply.options.map((option) => (
          <th key={option.name} scope="col" data-shown={option.name === shown || undefined}>
            <OptionHead
              reply={reply}
              option={option}
              weeks={weeks}
              onUse={() => onChoose(sameFor(reply, option.name))}
            />
          </th>
        ))}
      </tr>
    </thead>
  );
}

/** The lines of a child: one for each series. */
function SeriesRows({
  reply,
  weeks,
  child,
  choice,
  shown,
  why,
  onWhy: setWhy,
}: Pick<TableProps, 'reply' | 'weeks' | 'choice' | 'shown'> & {
  child: StandingChild;
  why: Why | null;
  onWhy: (why: Why) => void;
}) {
  return (
    <>
      {child.series.map((series) => (
        <tr key={series.id}>
          <th scope="row">
            <b className={css.day}>{WEEKDAYS[series.weekday]}</b>
            <span className="muted">{timeSlot(series.start, series.end)}</span>
          </th>
          {reply.options.map((option) => (
            <td
              key={option.name}
              data-shown={option.name === shown || undefined}
              className={cx(choice[child.id] === option.name && css.picked)}
            >
              <Ribbon
                pieces={piecesOf(weeks, series.dates, option.series[series.id])}
                weeks={weeks.length}
                people={reply.people}
                open={why?.key.startsWith(`${series.id} ${option.name} `) ? (why.key.split(' ').at(-1) ?? null) : null}
                onOpen={(date, words) =>
                  setWhy({
                    key: `${series.id} ${option.name} ${date}`,
                    title: `Why ${possessive(child.name)} ${shortDate(isoDate(date))} stays open`,
                    words: [words],
                    open: true,
                  })
                }
              />
            </td>
          ))}
        </tr>
      ))}
    </>
  );
}

/**
 * Does what a key means for the focus. Returns what else it means: the cell to explain, or that the explanation closes.
 */
function actOf(
  event: KeyboardEvent,
  box: HTMLElement,
  columns: number,
): { readonly row: number; readonly column: number } | 'close' | null {
  if (event.altKey || event.ctrlKey || event.metaKey) return null;
  const cells = [...box.querySelectorAll<HTMLElement>('[data-cell]')];
  const at = cells.findIndex((cell) => cell === document.activeElement);
  const steps: Record<string, number> = { ArrowUp: -columns, ArrowDown: columns, ArrowLeft: -1, ArrowRight: 1 };
  const step = steps[event.key];
  if (step !== undefined && at >= 0) {
    const leavesRow = Math.abs(step) === 1 && Math.floor((at + step) / columns) !== Math.floor(at / columns);
    if (!leavesRow) cells[at + step]?.focus();
    event.preventDefault();
  } else if (event.key === 'y' && at >= 0) return { row: Math.floor(at / columns), column: at % columns };
  else if (event.key === 'o') nextOpen(box);
  return event.key === 'Escape' ? 'close' : null;
}

/** Moves the focus to the next date that stays open. */
function nextOpen(box: HTMLElement): void {
  const open = [...box.querySelectorAll<HTMLElement>('[data-open-date]')].filter((each) => each.offsetParent !== null);
  const at = open.findIndex((each) => each === document.activeElement);
  open[(at + 1) % open.length]?.focus();
}

function ChildCell({
  reply,
  child,
  option,
  picked,
  clashes,
  shown,
  onPick,
  onWhy,
}: {
  reply: StandingReply;
  child: StandingChild;
  option: StandingOption;
  picked: boolean;
  clashes: boolean;
  shown: boolean;
  onPick: () => void;
  onWhy: () => void;
}) {
  const same = sameAs(reply, child, option);
  const { people, rest } = childWords(child, option);
  return (
    <td className={cx(picked && css.picked, clashes && css.clashes)} data-shown={shown || undefined}>
      <button type="button" className={css.choose} data-cell aria-pressed={picked} onClick={onPick}>
        <span className="sr">
          {option.name} for {child.name}:{' '}
        </span>
        {same ? (
          `As in ${same}`
        ) : (
          <span>
            <b>{people}</b>
            {rest}
          </span>
        )}
        {picked ? (
          <span className={css.tick}>
            <Icon name="check" />
          </span>
        ) : null}
      </button>
      {same ? null : (
        <Button variant="link" className={css.why} onClick={onWhy}>
          Why?
          <span className="sr">
            {' '}
            {option.name} for {child.name}
          </span>
        </Button>
      )}
    </td>
  );
}
