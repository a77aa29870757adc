import type { StandingOption, StandingReply } from '@clinic/contract';
import { duration, MONTHS, type IsoDate } from '@clinic/domain';
import { Button } from '../../../shared/ui/button.tsx';
import { bestOf, figuresOf, sameFor, type Figures } from '../model.ts';
import css from './standing.module.css';

const FIGURES: readonly {
  readonly key: 'kept' | 'newFaces' | 'people' | 'handovers' | 'bcba';
  readonly most: boolean;
  readonly words: (n: number) => string;
  readonly hours?: true;
}[] = [
  { key: 'kept', most: true, words: () => 'kept', hours: true },
  { key: 'newFaces', most: false, words: (n) => (n === 1 ? 'new face' : 'new faces') },
  { key: 'people', most: false, words: (n) => (n === 1 ? 'person' : 'people') },
  { key: 'handovers', most: false, words: (n) => (n === 1 ? 'handover' : 'handovers') },
  { key: 'bcba', most: false, words: () => 'by BCBAs', hours: true },
];

/** The head of an option's column: its name, figures, and the scale of weeks. */
export function OptionHead({
  reply,
  option,
  weeks,
  onUse,
}: {
  reply: StandingReply;
  option: StandingOption;
  weeks: readonly IsoDate[];
  onUse: () => void;
}) {
  const all: Figures[] = reply.options.map(({ name }) => figuresOf(reply, sameFor(reply, name)));
  const own = all[reply.options.indexOf(option)];
  return (
    <>
      <div className={css.name}>
        <span>{option.name}</span>
        <Button variant="link" onClick={onUse}>
          Use for all<span className="sr">: {option.label}</span>
        </Button>
      </div>
      <div className={css.label}>{option.label}</div>
      {own ? (
        <dl className={css.figures}>
          {FIGURES.map(({ key, most, words, hours }) => (
            <div
              key={key}
              data-best={
                bestOf(
                  all.map((each) => each[key]),
                  most,
                ) === own[key] || undefined
              }
            >
              <dt>{words(own[key])}</dt>
              <dd>{hours ? duration(own[key]) : own[key]}</dd>
            </div>
          ))}
        </dl>
      ) : null}
      <Scale weeks={weeks} />
    </>
  );
}

/** The first day of each week, with the month where it begins. */
function Scale({ weeks }: { weeks: readonly IsoDate[] }) {
  return (
    <div className={css.scale} style={{ '--weeks': weeks.length }} aria-hidden="true">
      {weeks.map((monday, i) => {
        const month = monday.slice(5, 7);
        const isFirst = weeks[i - 1]?.slice(5, 7) !== month;
        return (
          <span key={monday}>
            <b>{isFirst ? MONTHS[Number(month) - 1]?.slice(0, 3) : ''}</b>
            {Number(monday.slice(8))}
          </span>
        );
      })}
    </div>
  );
}
