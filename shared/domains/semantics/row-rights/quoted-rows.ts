import { listed } from './hidden-tables.ts';

/** Codes of errors whose messages are about settings, services and limits. Others may quote the rows that failed. */
const WITHOUT_ROWS: ReadonlySet<string> = new Set([
  'ALLOWANCE_EXHAUSTED',
  'AUTH_FAILED',
  'BUSY',
  'CANCELLED',
  'CONNECTION_FAILED',
  'NO_SOURCE',
  'NOT_FOUND',
  'OUT_OF_MEMORY',
  'OVERTAKEN',
  'PERMISSION_DENIED',
  'RATE_LIMITED',
  'RESULT_TOO_LARGE',
  'RLS_COPY',
  'SECRET_NOT_FOUND',
  'TARGET_MISSING',
  'TARGET_NOT_EMPTY',
  'TIMEOUT',
  'TOO_LARGE',
  'WORKER_LOST',
  'WORKER_UNAVAILABLE',
]);

interface Reported {
  code: string;
  message: string;
}

export const mayQuoteRows = ({ code }: Pick<Reported, 'code'>): boolean => !WITHOUT_ROWS.has(code);

/** The error for readers to whom a part of the tables is hidden; unchanged if there are none. */
export function withoutQuotedRows<E extends Reported>(error: E, tables: readonly string[]): E {
  if (tables.length === 0 || !mayQuoteRows(error)) return error;
  const message = `Row-level security or sensitivity labels protect ${listed(tables)}, and the message may quote hidden values. Only those who may see all of it can read the message.`;
  return { ...error, message };
}
