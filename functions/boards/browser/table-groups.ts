import { el } from './dom.ts';
import type { ShownColumn } from './table-cells.ts';

/**
 * A row with the groups of a pivoted table, each above its measures. Undefined where each group has one measure, which
 * has the name of the group.
 */
export function groupHeadings(columns: readonly ShownColumn[]): HTMLElement | undefined {
  const measures = new Set(columns.flatMap(({ column }) => column.pivot?.measure ?? []));
  if (measures.size < 2) return undefined;
  const labels = columns.map(({ column }) => column.pivot && JSON.stringify([column.pivot.label, column.pivot.group]));
  const cells = columns.flatMap(({ column }, at) => {
    if (!column.pivot) return [el('td')];
    if (labels[at] === labels[at - 1]) return [];
    const end = labels.findIndex((label, place) => place > at && label !== labels[at]);
    const span = (end < 0 ? labels.length : end) - at;
    return [el('th', { scope: 'colgroup', colspan: String(span), class: 'group' }, column.pivot.label)];
  });
  return el('tr', {}, ...cells);
}
