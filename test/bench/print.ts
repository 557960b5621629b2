import { PRICES } from './prices.ts';
import { isMet, type Result } from './result.ts';
import { consumptionTable, costTable, figureTable, type Table } from './table.ts';

/** Shows a result in the terminal. */
export function print({ title, rows, notes, bound, quantities }: Result): void {
  console.log(`\n${title}\n`);
  if (rows.length > 0) show(figureTable(rows));
  if (quantities) {
    show(consumptionTable(quantities));
    console.log();
    show(costTable(quantities, PRICES));
  }
  for (const note of notes) console.log(`\n  ${note}`);
  if (bound && rows.some((row) => isMet(row) === false)) console.log(`\n  What bounds the missed ones: ${bound}`);
}

function show(table: Table): void {
  const plain = table.map((line) => line.map((cell) => cell.replaceAll('**', '')));
  const widths = plain[0]!.map((_, column) => Math.max(...plain.map((line) => line[column]!.length)));
  for (const line of plain) {
    const cells = line.map((cell, column) =>
      column === 0 ? cell.padEnd(widths[column]!) : cell.padStart(widths[column]!),
    );
    console.log(`  ${cells.join('   ').trimEnd()}`);
  }
}
