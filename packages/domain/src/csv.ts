/** A cell that a spreadsheet would read as a formula begins with one of these. */
const FORMULA = /^[=+\-@\t\r]/;

/** A table as CSV: every line ends with CRLF, and no text can be a formula. Numbers stay numbers. */
export function toCsv(rows: readonly (readonly (string | number | null)[])[]): string {
  const cell = (value: string | number | null): string => {
    if (value === null) return '';
    if (typeof value === 'number') return String(value);
    const text = FORMULA.test(value) ? `'${value}` : value;
    return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
  };
  return rows.map((row) => `${row.map(cell).join(',')}\r\n`).join('');
}
