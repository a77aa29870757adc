import { placeBelow, type Box, type Place, type Size } from '../../../shared/ui/place.ts';

/** The distance between the popover and what it is placed beside, in pixels. */
const GAP = 8;
/** How far the popover's right edge may stand out over that of its button, in pixels. */
const OVER = 24;

/**
 * The place for the reasons: beside the cell, so that the other cells of the option stay in sight, on the side that has
 * room; the clients' names are not covered either. With room on neither side, it is below its button.
 * @param names where the clients' names end, from the left
 */
export function whyPlace(
  size: Size,
  { button, cell, names }: { readonly button: Box; readonly cell: Box; readonly names: number },
  view: Size,
): Place {
  const { width, height } = size;
  const [right, left] = [cell.right + GAP, cell.left - GAP - width];
  const beside = right + width <= view.width - GAP ? right : left >= names ? left : null;
  if (beside !== null) return { top: Math.max(GAP, Math.min(cell.top, view.height - GAP - height)), left: beside };
  const { top, bottom, right: end } = button; // a DOMRect's values are not copied by spreading it
  return placeBelow(size, { top, bottom, left: end - width + OVER, right: end }, view, GAP);
}
