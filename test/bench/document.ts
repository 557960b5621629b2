import type { Machine } from './machine.ts';
import { PRICES } from './prices.ts';
import { isMet, type Result } from './result.ts';
import { consumptionTable, costTable, figureTable, type Table } from './table.ts';

/** What a measurement found, and where. */
export interface Figures {
  machine: Machine;
  result: Result;
}

const BEGIN = '<!-- measured: begin -->';
const END = '<!-- measured: end -->';

/** The document with these figures between its marks; the text around them is written by hand. */
export function documentWith(document: string, measured: readonly Figures[]): string {
  const [begin, end] = [document.indexOf(BEGIN), document.indexOf(END)];
  if (begin < 0 || end < begin) throw new Error('the document has no place for the figures');
  return `${document.slice(0, begin + BEGIN.length)}\n\n${measuredPart(measured)}\n${document.slice(end)}`;
}

function measuredPart(measured: readonly Figures[]): string {
  return measured.flatMap(section).join('\n');
}

function section({ machine, result }: Figures): string[] {
  const { title, rows, notes, bound, quantities } = result;
  const missed = rows.some((row) => isMet(row) === false);
  return [
    `## ${title}`,
    '',
    ...(rows.length > 0 ? [...markdown(figureTable(rows)), ''] : []),
    ...(quantities
      ? [...markdown(consumptionTable(quantities)), '', ...markdown(costTable(quantities, PRICES)), '']
      : []),
    ...notes.flatMap((note) => [note, '']),
    ...(missed && bound ? [`Why goals are missed: ${bound}`, ''] : []),
    `_${whereAndWhen(machine)}_`,
    '',
  ];
}

function whereAndWhen({ date, processor, cores, memoryGb, system, node, load }: Machine): string {
  return `${date}, Node ${node} (${system}), ${cores} cores (${processor}), ${memoryGb} GB; load before it ${load}.`;
}

/** The first column to the left, figures to the right. */
function markdown([headings = [], ...lines]: Table): string[] {
  const widths = headings.map((heading, column) =>
    Math.max(heading.length, ...lines.map((line) => line[column]!.length), 3),
  );
  const format = (line: readonly string[]) =>
    `| ${line.map((cell, column) => (column === 0 ? cell.padEnd(widths[column]!) : cell.padStart(widths[column]!))).join(' | ')} |`;
  const rule = widths.map((width, column) => (column === 0 ? '-'.repeat(width) : `${'-'.repeat(width - 1)}:`));
  return [format(headings), format(rule), ...lines.map(format)];
}
