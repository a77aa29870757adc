import { useEffect, useRef, useState, type ReactNode, type RefObject } from 'react';

/** A part of the page that scrolls, usually a table; `SidewaysHint` is below it. */
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
  return (
    <>
      <div ref={box} className={className} tabIndex={0} role="region" aria-label={label}>
        {children}
      </div>
      <SidewaysHint of={box} />
    </>
  );
}

/** Says that a part of the page scrolls sideways, while columns lie outside it. */
export function SidewaysHint({ of }: { of: RefObject<HTMLElement | null> }) {
  const [isWider, setWider] = useState(false);
  useEffect(() => {
    const element = of.current;
    if (!element) return undefined;
    const look = (): void => setWider(element.scrollWidth - element.clientWidth > 1);
    const watch = new ResizeObserver(look);
    for (const part of [element, element.firstElementChild]) if (part) watch.observe(part);
    return () => watch.disconnect();
  }, [of]);
  return isWider ? <p className="cap sideways">Scroll sideways to see all columns.</p> : null;
}
