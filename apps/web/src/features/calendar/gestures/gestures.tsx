import { useEffect, useRef, type RefObject } from 'react';
import { Hands, type Grid } from './hands.ts';

/** What the grid itself knows. */
export interface HandsProps extends Pick<Grid, 'barOf' | 'indexOf'> {
  box: RefObject<HTMLElement | null>;
}

/** Lets sessions on the grid be drawn, moved and pulled. Renders nothing itself. */
export function Gestures({ box, ...grid }: Grid & HandsProps) {
  const latest = useRef<Grid>(grid);
  useEffect(() => {
    latest.current = grid;
  });
  useEffect(() => (box.current ? new Hands(box.current, () => latest.current).attach() : undefined), [box]);
  return null;
}
