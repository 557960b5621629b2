import { DataError, positionAtByte } from '../../platform/errors/data-error.ts';
import { findOwn, isAggregate, isWindow } from './aggregates.ts';
import type { TreeNode } from './parse-tree.ts';

/** Throws `SQL_ERROR` for a text that is evaluated for each row, but needs several. */
export function checkPerRow(root: TreeNode, sql: string, kind: 'value' | 'condition'): void {
  const aggregate = findOwn(root, isAggregate);
  if (aggregate) {
    const name = String(aggregate.function_name).replace('count_star', 'count');
    reject(
      aggregate,
      sql,
      `${name}() computes one value of many rows, but this text is evaluated for each row by itself; use the operation aggregate or window, or ${name}(…) OVER (…) in a derive.`,
    );
  }
  const window = kind === 'condition' ? findOwn(root, isWindow) : undefined;
  if (window) {
    const message = `A condition cannot use ${String(window.function_name)}(…) OVER (…); compute it in a derive before it.`;
    reject(window, sql, message);
  }
}

function reject({ query_location: location }: TreeNode, sql: string, message: string): never {
  const place = location === undefined ? {} : { position: positionAtByte(sql, location) };
  throw new DataError('SQL_ERROR', message, { issues: [{ code: 'SQL_ERROR', message, ...place }] });
}
