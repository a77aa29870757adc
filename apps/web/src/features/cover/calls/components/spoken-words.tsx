import type { CallLine } from '@clinic/contract';
import { languageOf, REVIEWS } from '@clinic/domain';
import { isolated } from '../../../../shared/isolated.ts';

export type Said = Pick<CallLine, 'say' | 'say_es'>;

/**
 * What to say, also in Spanish if a contact speaks it: first in the language of whoever is tried first.
 * @param said the line's own sentences, or those of several dates
 */
export function SpokenWords({ line, said, current }: { line: CallLine; said: Said; current: boolean }) {
  const spanish = line.say_es ? said.say_es : undefined;
  if (!spanish) return <Sentences of={said.say} />;
  const isFirst = languageOf(line.contacts[0]?.language ?? '') === 'es';
  return (
    <>
      {isFirst ? null : <Sentences of={said.say} />}
      <div lang="es">
        <Sentences of={spanish} />
      </div>
      {isFirst ? (
        <div className="small muted">
          <Sentences of={said.say} />
        </div>
      ) : null}
      {current && REVIEWS.spoken === null ? (
        <p className="small muted">Nobody has reviewed the Spanish words yet.</p>
      ) : null}
    </>
  );
}

const Sentences = ({ of }: { of: readonly string[] }) => (
  <div>
    {of.map((text) => (
      <p key={text}>{isolated(text)}</p>
    ))}
  </div>
);
