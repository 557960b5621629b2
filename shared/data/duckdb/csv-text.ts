/**
 * A line of CSV as RFC 4180 has it, for programs: a cell is the value and nothing else. Null is an empty cell, empty text a
 * quoted one. Cells that a spreadsheet would take for formulas stay as they are: whoever makes files for people marks them.
 */
export function csvLine(cells: readonly (string | null)[]): string {
  return `${cells.map(csvCell).join(',')}\r\n`;
}

function csvCell(value: string | null): string {
  if (value === null) return '';
  return value === '' || /[",\r\n]/.test(value) ? `"${value.replaceAll('"', '""')}"` : value;
}
