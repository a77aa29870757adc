import { duration, type Interval } from '@clinic/domain';
import { initials, shortName } from '../../../../shared/initials.ts';
import { roughWidth } from '../../../../shared/text-width.ts';
import type { CellView } from '../table.ts';
import css from './strip.module.css';

/**
 * A session as a strip over its own span: filled where a therapist is, hollow where nobody is. The span is the same in
 * every option, so shapes compare across and down. Each name falls to its next shorter form where it does not fit.
 */
export function Strip({
  session,
  pieces,
  wrong,
}: {
  session: Interval;
  pieces: readonly CellView[];
  wrong: ReadonlyMap<string, string>;
}) {
  const length = session.end - session.start;
  const share = (minutes: number): number => Math.round((minutes / length) * 10_000) / 100;
  return (
    <span
      className={css.strip}
      aria-hidden="true"
      style={length > 0 ? { '--hour': `${share(60)}%`, '--first': `${share((60 - (session.start % 60)) % 60)}%` } : {}}
    >
      {pieces.map((piece, i) => {
        const [name, short, least] = forms(piece, pieces.length === 1);
        // Times that could not be read are drawn side by side.
        const place =
          length > 0 && piece.end > piece.start
            ? { left: `${share(piece.start - session.start)}%`, width: `${share(piece.end - piece.start)}%` }
            : { left: `${(i / pieces.length) * 100}%`, width: `${100 / pieces.length}%` };
        return (
          <span
            key={piece.slot}
            className={css.bar}
            data-kind={piece.kind}
            data-wrong={wrong.has(piece.slot) || undefined}
            title={[piece.slot, piece.therapist, piece.words].filter((text) => text !== '').join(' ')}
            style={{ ...place, '--name': need(name), '--short': need(short), '--least': need(least) }}
          >
            <span className={css.form}>{name}</span>
            <span className={css.form} data-form="short">
              {short}
            </span>
            <span className={css.form} data-form="least">
              {least}
            </span>
          </span>
        );
      })}
    </span>
  );
}

/** What a piece says, from its longest form to its shortest. Where nobody is, its length says most. */
function forms({ kind, therapist, minutes }: CellView, isWhole: boolean): readonly [string, string, string] {
  if (kind !== 'unassigned') return [therapist, shortName(therapist), initials(therapist)];
  if (isWhole || minutes === 0) return [therapist, '', ''];
  const length = duration(minutes).replace(/ min$/, minutes > 60 ? '' : ' min');
  return [`${therapist} ${length}`, length, ''];
}

const need = (text: string): number => Math.round(roughWidth(text) * 100) / 100;
