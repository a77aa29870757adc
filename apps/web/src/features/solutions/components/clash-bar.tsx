import { Button } from '../../../shared/ui/button.tsx';
import { Icon } from '../../../shared/ui/icon.tsx';
import css from './clash-bar.module.css';

/** The first clash of the mix in words, what would settle it, and the button that does. */
export function ClashBar({
  words,
  more,
  remedy,
  onChange,
}: {
  words: { what: string; between: string };
  /** How many clashes there are besides. */
  more: number;
  /** What *Change these too* would do; null where nothing settles it. */
  remedy: string | null;
  onChange: () => void;
}) {
  return (
    <div className={css.bar}>
      <Icon name="warn" />
      <p role="alert">
        <b>{words.what}</b> {words.between}
        {more > 0 ? <span className="muted"> And {more} more.</span> : null}
      </p>
      {remedy === null ? null : (
        <>
          <span className={css.remedy}>{remedy}</span>
          <Button onClick={onChange}>Change these too</Button>
        </>
      )}
    </div>
  );
}
