/** Spreadsheets read a cell that begins with one of these characters as a formula. */
const FORMULA = /^[=+\-@\t\r]/;

/** Writes a table as CSV with CRLF line endings. Text cannot become a spreadsheet formula; numbers stay numbers. */
export function toCsv(rows: readonly (readonly (string | number | null)[])[]): string {
  const cell = (value: string | number | null): string => {
    if (value === null) return '';
    if (typeof value === 'number') return String(value);
    const text = FORMULA.test(value) ? `'${value}` : value;
    return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
  };
  return rows.map((row) => `${row.map(cell).join(',')}\r\n`).join('');
}
