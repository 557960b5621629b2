import type { Issue } from '../../platform/errors/app-error.ts';
import { analyze, type DataType, issueOf, type Scope, type Typed } from '../expressions/index.ts';
import type { ChainColumn } from './steps.ts';

/** The tree of an expression over the columns of a chain. The ids of its fields are the names of columns. */
export const columnExpression = (columns: readonly ChainColumn[], text: string): Typed | undefined =>
  analysed(columns, text).valid?.tree;

/** Checks an expression over the columns of a chain, as far as they are known. */
export function checkColumnExpression(
  columns: readonly ChainColumn[] | null,
  text: string,
): { issues: Issue[]; type: DataType | undefined } {
  const { diagnostics, valid } = analysed(columns ?? [], text);
  const isTyped = columns?.every(({ type }) => type !== undefined) ?? false;
  const known = diagnostics.filter(
    ({ code, severity }) => severity === 'error' && (code < 2000 || (columns !== null && (isTyped || code < 3000))),
  );
  return {
    issues: known.map((diagnostic) => issueOf(text, diagnostic, '/expression')),
    type: isTyped ? valid?.dataType : undefined,
  };
}

function analysed(columns: readonly ChainColumn[], text: string) {
  const fields = columns.map(({ name, type }) => ({ id: name, name, dataType: type ?? ('string' as const) }));
  const scope: Scope = { tables: [{ id: 'row', alias: 'row', fields }], measures: [], home: 'row' };
  return analyze(text, scope, { purpose: 'row' });
}
