import type { AnchorHTMLAttributes, MouseEvent } from 'react';
import { hrefOf, navigate, usePath, type SearchValues } from './history.ts';
import { isForChanges } from '../shell/places.ts';
import { preloadPage } from './pages.tsx';

interface LinkProps extends Omit<AnchorHTMLAttributes<HTMLAnchorElement>, 'href'> {
  to: string;
  search?: SearchValues | undefined;
  /** Whether the link is marked as current when it links to the current page. */
  marksCurrent?: boolean | undefined;
}

const isPlain = (event: MouseEvent): boolean =>
  event.button === 0 && !(event.metaKey || event.ctrlKey || event.shiftKey || event.altKey);

/**
 * A link to a page of the product. The page's files are loaded as soon as the pointer is over the link or the link has
 * the focus.
 */
export function Link({ to, search, marksCurrent, onClick, ...rest }: LinkProps) {
  const path = usePath();
  return (
    <a
      {...rest}
      href={hrefOf(to, search)}
      {...(isForChanges(to) || search?.['options'] !== undefined ? { 'data-writes': '' } : {})}
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
