import { createHash } from 'node:crypto';
import { clockOf, nodesOf, type Typed } from '../../../data/expressions/index.ts';
import type { TableRights } from './rights.ts';
import type { Rights } from './table-rights.ts';

/**
 * What the reader sees as a class for texts and rows that are stored and shown later; `all` if nothing is restricted.
 * Policies that compare rows with TODAY or NOW are the same ones tomorrow. Those that the time alone decides may show
 * no row any more, so they count with their time; and the rows that policies read besides count with their versions,
 * because the reader may have been taken out of them.
 */
export function lastingClass({ readerClass, fingerprint, restricted }: Rights): string {
  if (restricted.length === 0) return readerClass;
  const isTimed = restricted.some(({ rows }) => conditionsOf(rows).some(isDecidedByTime));
  const partners = restricted.flatMap((table) => table.partners.map(({ id, version }) => `${id}#${version}`));
  const seen = [isTimed ? fingerprint : readerClass, [...new Set(partners)].sort()];
  return createHash('sha256').update(JSON.stringify(seen)).digest('base64url');
}

const conditionsOf = (rows: TableRights['rows']): Typed[] =>
  typeof rows === 'string' ? [] : rows.flat().map(({ tree }) => tree);

/** Whether any part of the condition is true or false for all rows, depending on when it is asked. */
const isDecidedByTime = (tree: Typed): boolean =>
  [...nodesOf(tree)].some((node) => node.type === 'boolean' && node.level === 'constant' && clockOf(node) !== 'none');
