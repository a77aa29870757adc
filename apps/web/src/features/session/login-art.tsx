import css from './login.module.css';

/** A picture of a clinic's day: for each row, its bars as kind, first column and number of columns. */
const ROWS: readonly (readonly ['free' | 'booked' | 'admin' | 'open', number, number])[][] = [
  [
    ['free', 4, 40],
    ['booked', 6, 14],
    ['booked', 22, 12],
  ],
  [
    ['free', 8, 28],
    ['booked', 10, 12],
    ['booked', 26, 10],
  ],
  [
    ['free', 4, 20],
    ['admin', 4, 4],
    ['booked', 10, 12],
  ],
  [
    ['open', 6, 14],
    ['open', 24, 10],
  ],
  [
    ['free', 20, 26],
    ['booked', 22, 12],
    ['booked', 36, 8],
  ],
  [
    ['free', 4, 36],
    ['booked', 6, 12],
    ['booked', 20, 12],
  ],
  [
    ['free', 6, 34],
    ['admin', 6, 4],
    ['admin', 14, 4],
    ['booked', 22, 14],
  ],
  [
    ['free', 4, 16],
    ['booked', 6, 12],
  ],
  [
    ['free', 8, 36],
    ['booked', 24, 12],
  ],
  [
    ['free', 4, 40],
    ['booked', 6, 14],
    ['booked', 22, 10],
    ['booked', 34, 8],
  ],
  [
    ['free', 20, 24],
    ['booked', 22, 10],
    ['booked', 34, 10],
  ],
];

export function LoginArt() {
  return (
    <div className={css.art} aria-hidden="true">
      {ROWS.flatMap((row, index) =>
        row.map(([kind, start, width]) => (
          <i
            key={`${index}:${kind}:${start}`}
            className={css[kind]}
            style={{ '--start': start, '--span': width, '--y': 5 + index * 8.4 }}
          />
        )),
      )}
      <span className={css.now} />
    </div>
  );
}
