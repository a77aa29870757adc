import { useEffect, useRef, useState, type ReactNode } from 'react';

/** A part of the page that scrolls, usually a table. While columns lie outside it, a line below says so. */
export function ScrollRegion({
  label,
  className,
  children,
}: {
  label: string;
  className: string | undefined;
  children: ReactNode;
}) {
  const box = useRef<HTMLDivElement>(null);
  const [isWider, setWider] = useState(false);
  useEffect(() => {
    const element = box.current;
    if (!element) return undefined;
    const look = (): void => setWider(element.scrollWidth - element.clientWidth > 1);
    const watch = new ResizeObserver(look);
    for (const part of [element, element.firstElementChild]) if (part) watch.observe(part);
    return () => watch.disconnect();
  }, []);
  return (
    <>
      <div ref={box} className={className} tabIndex={0} role="region" aria-label={label}>
        {children}
      </div>
      {isWider ? <p className="cap sideways">Scroll sideways to see all columns.</p> : null}
    </>
  );
}
