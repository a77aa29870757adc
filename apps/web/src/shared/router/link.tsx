import type { AnchorHTMLAttributes, MouseEvent } from 'react';
import { hrefOf, navigate, usePath, type SearchValues } from './history.ts';
import { preloadPage } from './pages.tsx';

interface LinkProps extends Omit<AnchorHTMLAttributes<HTMLAnchorElement>, 'href'> {
  to: string;
  search?: SearchValues | undefined;
  /** Whether it is marked when its path is the current one. */
  marksCurrent?: boolean | undefined;
}

const isPlain = (event: MouseEvent): boolean =>
  event.button === 0 && !(event.metaKey || event.ctrlKey || event.shiftKey || event.altKey);

/** A link within the product; its page is fetched when the pointer reaches it. */
export function Link({ to, search, marksCurrent, onClick, ...rest }: LinkProps) {
  const path = usePath();
  return (
    <a
      {...rest}
      href={hrefOf(to, search)}
      {...(marksCurrent && path === to ? { 'aria-current': 'page' as const } : {})}
      onPointerEnter={() => preloadPage(to)}
      onFocus={() => preloadPage(to)}
      onClick={(event) => {
        onClick?.(event);
        if (event.defaultPrevented || !isPlain(event)) return;
        event.preventDefault();
        navigate({ to, search });
      }}
    />
  );
}
