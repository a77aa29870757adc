import type { TimesReply } from '@clinic/contract';
import { clockTime, parseTime } from '@clinic/domain';
import { Button } from '../../../shared/ui/button.tsx';
import { Loading } from '../../../shared/ui/loading.tsx';
import { daysWords, hoursWords, mayWords, type TimesWish } from '../model.ts';
import { useChanges } from '../use-times.ts';
import css from '../find-a-time.module.css';

/** Who may, why no way is earlier, and what it would take. */
export function Reasons({
  reply,
  wish,
  onUse,
}: {
  reply: TimesReply;
  wish: TimesWish;
  onUse: (wish: TimesWish) => void;
}) {
  return (
    <div className={css.reasons}>
      <section>
        {reply.earlier ? (
          <>
            <h3>Why not earlier? The family can come from {clockTime(parseTime(reply.earlier.start) ?? 0)}</h3>
            <Tally list={reply.earlier.reasons} />
          </>
        ) : null}
        <h3>{mayWords(reply)}</h3>
        <Tally list={reply.mayNot} />
      </section>
      <Changes wish={wish} onUse={onUse} />
    </div>
  );
}

const Tally = ({ list }: { list: readonly { why: string; therapists: number }[] }) => (
  <ul>
    {list.map(({ why, therapists }) => (
      <li key={why}>
        <span>{why}</span>
        <span>{therapists}</span>
      </li>
    ))}
  </ul>
);

function Changes({ wish, onUse }: { wish: TimesWish; onUse: (wish: TimesWish) => void }) {
  const query = useChanges(wish);
  return (
    <section aria-labelledby="what-it-would-take">
      <h3 id="what-it-would-take">What it would take</h3>
      <Loading what="what it would take" query={query} height="5rem">
        {({ changes }) => (
          <>
            {changes.length === 0 ? <p className="muted">No single change gives a better time.</p> : null}
            <ul>
              {changes.map(({ what, wish: changed, way }) => (
                <li key={what}>
                  <span>
                    <b>{what}</b>: {daysWords(way)}, {hoursWords(way)} with{' '}
                    {way.people.map(({ therapist }) => therapist).join(' and ')}. {way.why}
                  </span>
                  <Button size="sm" onClick={() => onUse(changed)}>
                    Use<span className="sr">: {what}</span>
                  </Button>
                </li>
              ))}
            </ul>
          </>
        )}
      </Loading>
    </section>
  );
}
