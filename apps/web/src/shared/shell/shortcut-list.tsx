import { useState } from 'react';
import css from './shortcut-list.module.css';
import { Dialog } from '../ui/dialog.tsx';
import { Keys } from './keys.tsx';
import { activeShortcuts } from './shortcuts.ts';

/** All shortcuts that work on the page right now. Opened by `?`. */
export function ShortcutList({ onClose }: { onClose: () => void }) {
  const [shortcuts] = useState(activeShortcuts);
  const groups = [...new Set(shortcuts.map((s) => s.group))];
  return (
    <Dialog title="Keyboard shortcuts" width="44rem" onClose={onClose}>
      <div className={css.list}>
        {groups.map((group) => (
          <section key={group}>
            <h3>{group}</h3>
            <dl>
              {shortcuts
                .filter((s) => s.group === group)
                .map((s) => (
                  <div key={s.keys}>
                    <dt>
                      <Keys keys={s.keys} />
                    </dt>
                    <dd>{s.label}</dd>
                  </div>
                ))}
            </dl>
          </section>
        ))}
      </div>
    </Dialog>
  );
}
