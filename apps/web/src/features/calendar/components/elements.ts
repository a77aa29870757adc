import type { ColumnRange } from '../lanes.ts';

/** Makes an element. Stored text becomes a text node, so it can never become markup. */
export function make(tag: 'button' | 'div' | 'span', className?: string, text?: string): HTMLElement {
  const element = document.createElement(tag);
  if (className !== undefined) element.className = className;
  if (text !== undefined) element.textContent = text;
  return element;
}

/** Sets an attribute, or removes it when the value is null. */
export function set(element: Element, name: string, value: string | null): void {
  if (value === null) element.removeAttribute(name);
  else element.setAttribute(name, value);
}

/** CSS that places a part of a row. For lane 0, `--l` is left out. */
export const placed = ({ from, to }: ColumnRange, lane = 0): string =>
  `--start: ${from}; --span: ${to - from}${lane === 0 ? '' : `; --l: ${lane}`}`;

/**
 * Makes these nodes the parent's children, in this order. Nodes already in their place are not touched, so that they
 * keep the focus.
 */
export function setChildren(parent: Element, nodes: readonly Node[]): void {
  const wanted = new Set(nodes);
  for (const child of [...parent.childNodes]) if (!wanted.has(child)) child.remove();
  let at = parent.firstChild;
  for (const node of nodes) {
    if (node === at) at = at.nextSibling;
    else parent.insertBefore(node, at);
  }
}
