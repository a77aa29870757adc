/** An icon's path, with the stroke settings that differ from those of most icons. */
type Shape = string | { d: string; strokeWidth?: string; strokeDasharray?: string; strokeLinecap?: 'butt' };

/**
 * Line icons in a 16 px box (20 px for the two in the sidebar), drawn with strokes so that they take on the text
 * color.
 */
const SHAPES = {
  calendar:
    'M2.5 6h11M4.8 1.6v2.6M11.2 1.6v2.6M4.5 2.9h7a2 2 0 0 1 2 2v7a2 2 0 0 1-2 2h-7a2 2 0 0 1-2-2v-7a2 2 0 0 1 2-2ZM5 8.8h2.4M5 11h4.4',
  person: 'M8 8a2.9 2.9 0 1 0 0-5.8A2.9 2.9 0 0 0 8 8ZM2.4 14c.5-2.9 2.8-4.4 5.6-4.4s5.1 1.5 5.6 4.4',
  left: 'M10 3.5 5.5 8l4.5 4.5',
  right: 'm6 3.5 4.5 4.5L6 12.5',
  up: 'M3.5 10 8 5.5l4.5 4.5',
  down: 'm3.5 6 4.5 4.5L12.5 6',
  search: 'M11.3 7a4.3 4.3 0 1 1-8.6 0 4.3 4.3 0 0 1 8.6 0ZM10.3 10.3l3.2 3.2',
  check: 'm3 8.5 3.3 3.3L13 4.8',
  x: 'm4 4 8 8M12 4l-8 8',
  plus: 'M8 3v10M3 8h10',
  warn: 'M8 2.2 14.6 13.5H1.4ZM8 6.5v3M8 11.5v.1',
  slash: 'M13.5 8a5.5 5.5 0 1 1-11 0 5.5 5.5 0 0 1 11 0ZM4.2 11.8l7.6-7.6',
  undo: 'M3 6.5h6.5a3.5 3.5 0 0 1 0 7H6M3 6.5l3-3M3 6.5l3 3',
  clock: 'M13.8 8a5.8 5.8 0 1 1-11.6 0 5.8 5.8 0 0 1 11.6 0ZM8 4.8V8l2.2 1.5',
  offline:
    'M2 2l12 12M4 8.5a6 6 0 0 1 2-1.4M9.5 7a6 6 0 0 1 2.5 1.5M6.3 11a2.6 2.6 0 0 1 3.4 0M2 6.2A9 9 0 0 1 4.3 4.7M7 4a9 9 0 0 1 7 2.2',
  pin: 'M6 2.5h4l-.5 4 2.5 2.2H4L6.5 6.5ZM8 8.7v5',
  print: 'M4.5 5.5v-3h7v3M4.5 11.5h-2v-6h11v6h-2M4.5 9.5h7v4h-7Z',
  rows: 'M2.5 4h11M2.5 8h11M2.5 12h11',
  trash: 'M3 4.5h10M6.5 4.5V2.8h3v1.7M4.5 4.5l.6 8.7h5.8l.6-8.7M6.8 7v4M9.2 7v4',
  edit: 'm3 13 .6-2.9 7.3-7.3 2.3 2.3-7.3 7.3ZM9.6 4.1l2.3 2.3',
  download: 'M8 2.5v7.5M4.8 7 8 10.2 11.2 7M3 13.2h10',
  more: { d: 'M3.5 8h.01M8 8h.01M12.5 8h.01', strokeWidth: '2.4' },
  to: 'M2.5 8h11M9.5 4l4 4-4 4',
  swap: 'M2.5 5.5h11M10.5 2.5l3 3-3 3M13.5 10.5h-11M5.5 7.5l-3 3 3 3',
  send: 'M8 13V3.5M4.2 7.2 8 3.4l3.8 3.8',
  phone: 'M5.6 2.5 3.3 3c-.5 5.4 4.3 10.2 9.7 9.7l.5-2.3-2.9-1.4-1.3 1.3C7.7 9.5 6.5 8.3 5.7 6.7L7 5.4Z',
  nobody: {
    d: 'M13.7 8a5.7 5.7 0 1 1-11.4 0 5.7 5.7 0 0 1 11.4 0Z',
    strokeDasharray: '3.2 2.77',
    strokeWidth: '2',
    strokeLinecap: 'butt',
  },
} satisfies Record<string, Shape>;

export type IconName = keyof typeof SHAPES;

function shapeOf(name: IconName): Exclude<Shape, string> {
  const shape: Shape = SHAPES[name];
  return typeof shape === 'string' ? { d: shape } : shape;
}

/**
 * An icon, hidden from screen readers: there are always words beside it, except in the sidebar, where the links have
 * names.
 */
export function Icon({ name, className }: { name: IconName; className?: string | undefined }) {
  return (
    <svg viewBox="0 0 16 16" aria-hidden="true" className={className}>
      <path {...shapeOf(name)} />
    </svg>
  );
}

const SVG = 'http://www.w3.org/2000/svg';

/** The same icon for elements that are made without React. */
export function iconElement(name: IconName): SVGElement {
  const icon = document.createElementNS(SVG, 'svg');
  icon.setAttribute('viewBox', '0 0 16 16');
  icon.setAttribute('aria-hidden', 'true');
  const path = document.createElementNS(SVG, 'path');
  for (const [key, value] of Object.entries(shapeOf(name)))
    path.setAttribute(
      key.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`),
      value,
    );
  icon.append(path);
  return icon;
}

/** The product's logo. */
export function Logo({ className }: { className?: string | undefined }) {
  return (
    <svg viewBox="0 0 28 28" aria-hidden="true" className={className} style={{ stroke: 'none' }}>
      <rect x="2" y="4" width="15" height="6" rx="2" fill="var(--appt)" />
      <rect x="8" y="11" width="18" height="6" rx="2" fill="var(--accent)" />
      <rect
        x="3"
        y="19"
        width="11"
        height="5"
        rx="1.5"
        fill="none"
        stroke="var(--alarm-line)"
        strokeWidth="1.8"
        strokeDasharray="3 2"
      />
    </svg>
  );
}
