import type { ReactNode } from 'react';
import { Button } from '../../../shared/ui/button.tsx';
import type { Answers } from '../model.ts';
import css from './imports.module.css';

/** The answers given on this page, with the functions that change the answers and check the files again. */
export interface Asking {
  answers: Answers;
  busy: boolean;
  onAnswer: (key: string, answer: string | null) => void;
  onCheck: () => void;
}

/** Questions of one kind. Answers take effect at the next check, and in the import. */
export function QuestionSection({
  id,
  title,
  hint,
  check,
  unchecked,
  busy,
  onCheck,
  children,
}: Pick<Asking, 'busy' | 'onCheck'> & {
  id: string;
  title: string;
  hint: string;
  /** The label of the button that checks again. */
  check: string;
  /** Whether an answer has changed since the last check. */
  unchecked: boolean;
  children: ReactNode;
}) {
  return (
    <section className={css.rows} aria-labelledby={id}>
      <div className={css.head}>
        <h2 id={id}>{title}</h2>
        <p className="small muted">{hint}</p>
        {unchecked ? (
          <Button variant="primary" unavailable={busy} onClick={onCheck}>
            {check}
          </Button>
        ) : null}
      </div>
      {children}
    </section>
  );
}
