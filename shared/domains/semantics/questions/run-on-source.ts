import type { SqlParameter } from '../../../data/expressions/index.ts';
import { messageWithoutValues, quotesValue } from '../../../data/sql/quoted-values.ts';
import type { Principal } from '../../../platform/auth/principal.ts';
import { AppError } from '../../../platform/errors/app-error.ts';
import { DATASETS, type ModelDefinition } from '../models/index.ts';
import {
  type AttachedFile,
  errorOfStatement,
  type QueryCommand,
  type QueryDeps,
  type ResultFormat,
  runRestricted,
} from '../queries/index.ts';
import type { ReaderRights } from '../row-rights/index.ts';

export interface ModelStatement {
  /** With the conditions of row-level security in it. */
  sql: string;
  params: readonly SqlParameter[];
  limit: number;
  timeoutMs: number;
  timezone: string;
  maxAgeSeconds?: number | undefined;
  /** Files that the statement reads besides the datasets, by the names of their tables. */
  tables?: readonly AttachedFile[];
  spreadsheet?: QueryCommand['spreadsheet'];
}

/** Whose question it is, and to which model. */
export interface AskedBy {
  model: ModelDefinition['model'];
  principal: Principal;
  ofCaller: ReaderRights;
}

/** Runs a compiled statement on the datasets or the database of a model. Throws the errors of the statement. */
export function runOnSource(
  deps: QueryDeps,
  { model, principal, ofCaller }: AskedBy,
  { params, maxAgeSeconds, ...statement }: ModelStatement,
  format: ResultFormat = 'rows',
) {
  const { workspaceId } = principal;
  const { sourceId } = model;
  const command = {
    workspaceId,
    principal,
    ofCaller,
    params: [...params],
    ...statement,
    ...(sourceId === DATASETS ? {} : { sourceId }),
    ...(maxAgeSeconds === undefined ? {} : { maxAgeSeconds }),
  };
  return runRestricted(deps, command, format).catch(async (error: unknown) => {
    throw errorOfStatement(await shownError(error, { sourceId, ofCaller }), { isShown: false });
  });
}

/** A database may fail on a row before a policy hides it, as by a cast in a view, and then quotes a value of it. */
async function shownError(
  error: unknown,
  { sourceId, ofCaller }: { sourceId: string; ofCaller: ReaderRights },
): Promise<unknown> {
  if (!(error instanceof AppError) || sourceId === DATASETS || !quotesValue(error)) return error;
  const { restricted } = await ofCaller.to({ sourceId, tables: 'all' });
  if (restricted.length === 0) return error;
  const message = messageWithoutValues(error);
  const errors = error.errors.map(({ pointer, code }) => ({ pointer, code, message }));
  return new AppError(error.code, { detail: message, errors, cause: error });
}
