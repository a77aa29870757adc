import { Button } from '../../../shared/ui/button.tsx';
import { Icon } from '../../../shared/ui/icon.tsx';
import css from './standing.module.css';

/** What is explained beside the table: a date that stays open, or why a child has these people. */
export interface Why {
  readonly key: string;
  readonly title: string;
  readonly words: readonly string[];
  readonly open: boolean;
}

export function WhyPanel({ why, onClose }: { why: Why; onClose: () => void }) {
  return (
    <section className={css.panel} aria-labelledby="standing-why" role="region">
      <h2 id="standing-why">
        <span>{why.title}</span>
        <Button variant="ghost" size="sm" icon aria-label="Close" onClick={onClose}>
          <Icon name="x" />
        </Button>
      </h2>
      <div aria-live="polite">
        {why.words.map((each) => (
          <p key={each}>{each}</p>
        ))}
        {why.open ? (
          <p className={css.left}>
            <b>Left to that morning:</b> it comes up by itself, with that day’s options.
          </p>
        ) : null}
      </div>
    </section>
  );
}
