import field from '../ui/field.module.css';
import { Icon } from '../ui/icon.tsx';

/** The palette's search field. It keeps the focus while the arrow keys move through the results. */
export function SearchField({
  listId,
  activeId,
  value,
  onChange,
  onMove,
  onEnter,
}: {
  listId: string;
  activeId: string | undefined;
  value: string;
  onChange: (value: string) => void;
  onMove: (step: number) => void;
  onEnter: () => void;
}) {
  return (
    <div className={field.search}>
      <Icon name="search" />
      <input
        className={`${field.input} ${field.lg}`}
        role="combobox"
        aria-expanded
        aria-controls={listId}
        aria-activedescendant={activeId}
        aria-autocomplete="list"
        aria-label="A person, date, location or action"
        placeholder="A person, date, location or action"
        data-autofocus=""
        value={value}
        onChange={(event) => onChange(event.target.value)}
        onKeyDown={(event) => {
          if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
            event.preventDefault();
            onMove(event.key === 'ArrowDown' ? 1 : -1);
          } else if (event.key === 'Enter') {
            event.preventDefault();
            onEnter();
          }
        }}
      />
    </div>
  );
}
