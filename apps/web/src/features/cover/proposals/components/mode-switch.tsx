import { useShortcuts } from '../../../../shared/shell/shortcuts.ts';
import { Icon } from '../../../../shared/ui/icon.tsx';
import type { Mode } from '../model.ts';
import css from './mode-switch.module.css';

/** A switch between Submit Mode (off) and Refresh Mode (on), with both labels shown (SOL-02). */
export function ModeSwitch({ mode, onChange }: { mode: Mode; onChange: (mode: Mode) => void }) {
  const refresh = mode === 'refresh';
  const toggle = (): void => onChange(refresh ? 'submit' : 'refresh');
  useShortcuts([
    { keys: 'm', label: 'Switch between Submit Mode and Refresh Mode', group: 'Options', inDialog: true, run: toggle },
  ]);
  return (
    <button
      type="button"
      className={css.switch}
      role="switch"
      aria-checked={refresh}
      aria-label="Refresh Mode"
      aria-keyshortcuts="m"
      title="Shortcut: M"
      data-mode={mode}
      onClick={toggle}
    >
      <span aria-hidden="true" data-on={!refresh || undefined}>
        <Icon name="check" />
        Submit Mode
      </span>
      <span aria-hidden="true" data-on={refresh || undefined}>
        <Icon name="pin" />
        Refresh Mode
      </span>
    </button>
  );
}
