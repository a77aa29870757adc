import { useLayoutEffect, useRef, useState, type RefObject } from 'react';
import { setChildren } from './elements.ts';
import { RowElement, type RowInput } from './row-element.ts';

/**
 * Keeps rows as the children of an element that React renders empty. They are not React elements: React would take
 * twice as long to render a day, and would compare every bar on every change.
 * @param when decides when the rows are drawn; returns what to do before they are drawn again
 * @returns the element's ref
 */
export function useRowElements(
  inputs: () => readonly RowInput[],
  when: (draw: () => void) => () => void,
): RefObject<HTMLDivElement | null> {
  const box = useRef<HTMLDivElement>(null);
  const [known] = useState(() => new Map<string, RowElement>());
  useLayoutEffect(() => {
    const element = box.current;
    return element ? when(() => showRows(element, known, inputs())) : undefined;
  });
  return box;
}

function showRows(box: HTMLElement, known: Map<string, RowElement>, inputs: readonly RowInput[]): void {
  const ids = new Set(inputs.map(({ row }) => row.id));
  for (const id of known.keys()) if (!ids.has(id)) known.delete(id);
  const elements = inputs.map((input) => {
    const row = known.get(input.row.id) ?? new RowElement();
    known.set(input.row.id, row);
    row.draw(input);
    return row.element;
  });
  if (box.firstChild) setChildren(box, elements);
  else box.append(...elements);
}
