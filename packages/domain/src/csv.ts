/** A spreadsheet reads a cell that begins like this as a formula. */
const FORMULA = /^\s*[=+\-@]|^[\t\r]/;

/**
 * Writes a table as CSV with CRLF line endings and the byte order mark that spreadsheets need in order to read UTF-8.
 * Text cannot become a spreadsheet formula; numbers stay numbers.
 */
export function toCsv(rows: readonly (readonly (string | number | null)[])[]): string {
  const cell = (value: string | number | null): string => {
    if (value === null) return '';
    if (typeof value === 'number') return String(value);
    const text = FORMULA.test(value) ? `'${value}` : value;
    return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
  };
  return `\uFEFF${rows.map((row) => `${row.map(cell).join(',')}\r\n`).join('')}`;
}
