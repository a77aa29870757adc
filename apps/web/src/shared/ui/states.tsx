import type { CSSProperties, ReactNode } from 'react';
import css from './states.module.css';
import { cx } from './class-names.ts';
import { Icon, type IconName } from './icon.tsx';

/** An empty state: what is missing, and the next step. */
export function EmptyState({ title, children, action }: { title: string; children?: ReactNode; action?: ReactNode }) {
  return (
    <div className={css.empty}>
      <span className={css.pic} aria-hidden="true">
        <i />
        <i />
        <i />
      </span>
      <h2>{title}</h2>
      {children ? <p className="muted">{children}</p> : null}
      {action}
    </div>
  );
}

const NOTICE_ICONS = { error: 'warn', warn: 'warn', offline: 'offline' } as const satisfies Record<string, IconName>;

/**
 * What happened in bold, what still works below it, a button to act beside it. Errors and warnings are announced to
 * screen readers.
 */
export function Notice({
  tone,
  title,
  children,
  actions,
  icon,
}: {
  tone: keyof typeof NOTICE_ICONS;
  title: ReactNode;
  children?: ReactNode;
  actions?: ReactNode;
  icon?: IconName | undefined;
}) {
  return (
    <div className={cx(css.notice, css[tone])} role={tone === 'offline' ? 'status' : 'alert'}>
      <Icon name={icon ?? NOTICE_ICONS[tone]} />
      <p>
        <b>{title}</b>
        {children ? (
          <>
            <br />
            <span className="small">{children}</span>
          </>
        ) : null}
      </p>
      {actions}
    </div>
  );
}

/** A placeholder; give it the height of what it stands for. Wrap several in a `role="status"` with a name. */
export const Skeleton = ({ style }: { style?: CSSProperties }) => <span className={css.skeleton} style={style} />;

export function Chip({
  tone,
  icon,
  children,
}: {
  tone?: 'need' | 'ok' | undefined;
  icon?: IconName | undefined;
  children: ReactNode;
}) {
  return (
    <span className={css.chip} data-tone={tone}>
      {icon ? <Icon name={icon} /> : null}
      {children}
    </span>
  );
}
