/** The cells of a row as a line of CSV. */
export const lineOf = (cells: readonly string[]): string => cells.map(quoted).join(',');

const quoted = (text: string): string => (/[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);
