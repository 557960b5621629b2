import { describeStatement, type QueryDeps } from '../../../../shared/domains/semantics/queries/index.ts';
import {
  boundValues,
  type SavedQuery,
  sampleValues,
} from '../../../../shared/domains/semantics/saved-queries/index.ts';
import type { Principal } from '../../../../shared/platform/auth/principal.ts';
import { AppError, type Issue } from '../../../../shared/platform/errors/app-error.ts';

type Content = Pick<SavedQuery, 'workspaceId' | 'sql' | 'sourceId' | 'datasetIds' | 'params'>;

/** A transaction stores the query together with a reference to each dataset, and has at most 100 items. */
const MAX_DATASETS = 30;

/**
 * Throws every issue of the statement and its parameters, so that a saved query can run. Returns the datasets that it
 * reads.
 */
export async function checkContent(
  deps: Pick<QueryDeps, 'datasets' | 'engine' | 'live' | 'rights'>,
  principal: Principal,
  { workspaceId, sql, sourceId, datasetIds, params }: Content,
): Promise<{ reads: string[] }> {
  const issues = parameterIssues(params);
  if (sourceId !== null && datasetIds !== null)
    issues.push({ pointer: '/datasetIds', code: 'CONFLICT', message: 'cannot be given together with sourceId' });
  if (issues.length > 0) throw new AppError('VALIDATION_FAILED', { errors: issues });
  const { parameters, datasetIds: reads } = await describeStatement(deps, {
    workspaceId,
    principal,
    sql,
    ...(sourceId === null ? {} : { sourceId }),
    ...(datasetIds === null ? {} : { datasetIds }),
    params: sampleValues(params),
  });
  const declared = params.map(({ name }) => name);
  const unknown = parameters.filter((name) => !declared.includes(name));
  const unused = declared.filter((name) => !parameters.includes(name));
  const mismatches = [
    ...unknown.map((name) => ({
      pointer: '/sql',
      code: 'UNKNOWN_PARAMETER',
      message: `$${name} is not declared in params`,
    })),
    ...unused.map((name) => ({
      pointer: `/params/${declared.indexOf(name)}`,
      code: 'UNUSED_PARAMETER',
      message: `the statement has no $${name}`,
    })),
  ];
  if (reads.length > MAX_DATASETS) {
    const message = `reads ${reads.length} datasets; a saved query may read ${MAX_DATASETS}`;
    mismatches.push({ pointer: '/sql', code: 'TOO_MANY_DATASETS', message });
  }
  if (mismatches.length > 0) throw new AppError('VALIDATION_FAILED', { errors: mismatches });
  return { reads };
}

function parameterIssues(params: SavedQuery['params']): Issue[] {
  return params.flatMap((parameter, index) => {
    const place = `/params/${index}`;
    const issues: Issue[] = [];
    if (params.findIndex(({ name }) => name === parameter.name) < index)
      issues.push({ pointer: `${place}/name`, code: 'DUPLICATE', message: 'is the name of another parameter' });
    if (boundValues([{ ...parameter, required: false }], {}).issues.length > 0)
      issues.push({ pointer: `${place}/default`, code: 'WRONG_TYPE', message: `must be a ${parameter.type}` });
    return issues;
  });
}
