/**
 * Formats a line of CSV by RFC 4180, for programs. Null is an empty cell, empty text a quoted one. Cells that a
 * spreadsheet would interpret as formulas are not changed; files for people must mark them.
 */
export function csvLine(cells: readonly (string | null)[]): string {
  return `${cells.map(csvCell).join(',')}\r\n`;
}

function csvCell(value: string | null): string {
  if (value === null) return '';
  return value === '' || /[",\r\n]/.test(value) ? `"${value.replaceAll('"', '""')}"` : value;
}
