import type { CSSProperties, ReactNode } from 'react';
import css from './states.module.css';
import { cx } from './class-names.ts';
import { Icon, type IconName } from './icon.tsx';

/** Shown where there is no content: says what is missing and what to do next. */
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
 * A notice: says in bold what happened, and below it what that means, with a button. Screen readers read errors and
 * warnings at once; a notice about the connection needs a `role="status"` around it.
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
    <div className={cx(css.notice, css[tone])} role={tone === 'offline' ? undefined : 'alert'}>
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

/**
 * A gray area that fills in for content while it loads. Give it the content's height. Put several of them into one
 * named `role="status"` element.
 */
export const Skeleton = ({ style }: { style?: CSSProperties }) => <span className={css.skeleton} style={style} />;

/** A group of many outlines. */
export const Skeletons = ({ children }: { children: ReactNode }) => <div className={css.skeletons}>{children}</div>;

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
