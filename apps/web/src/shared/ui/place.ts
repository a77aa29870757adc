/** A rectangle in the window, in pixels. */
export interface Box {
  readonly top: number;
  readonly bottom: number;
  readonly left: number;
  readonly right: number;
}

export interface Size {
  readonly width: number;
  readonly height: number;
}

export interface Place {
  readonly top: number;
  readonly left: number;
}

/** The smallest distance between a popover and the edge of the window, in pixels. */
const MARGIN = 8;

/** The place below a button, or above it if there is no room, and always inside the window. */
export function placeBelow({ width, height }: Size, anchor: Box, view: Size, gap: number): Place {
  const below = anchor.bottom + gap;
  const top = below + height <= view.height - MARGIN ? below : Math.max(MARGIN, anchor.top - gap - height);
  return { top, left: Math.max(MARGIN, Math.min(anchor.left, view.width - width - MARGIN)) };
}
