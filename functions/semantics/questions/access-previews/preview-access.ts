import { quoteIdentifier } from '../../../../shared/data/duckdb/quoting.ts';
import {
  DATASETS,
  type ModelDefinition,
  type ModelTable,
  policyText,
} from '../../../../shared/domains/semantics/models/index.ts';
import { runQuery } from '../../../../shared/domains/semantics/queries/index.ts';
import type { QuestionDeps } from '../../../../shared/domains/semantics/questions/index.ts';
import {
  deniedFields,
  emitRows,
  readerOf,
  type TableRights,
  tableRights,
} from '../../../../shared/domains/semantics/row-rights/index.ts';
import { memberPrincipal } from '../../../../shared/domains/tenancy/workspaces/index.ts';
import type { Principal } from '../../../../shared/platform/auth/principal.ts';
import { AppError } from '../../../../shared/platform/errors/app-error.ts';
import type { AccessPreview, TableAccess } from './schemas.ts';

interface Command {
  principal: Principal;
  modelId: string;
  userId: string;
}

/** What the member would see if they asked now. Throws `MODEL_NOT_FOUND`, `MEMBER_NOT_FOUND` and `RLS_ERROR`. */
export async function previewAccess(
  deps: QuestionDeps,
  { principal, modelId, userId }: Command,
): Promise<AccessPreview> {
  const { workspaceId } = principal;
  const definition = await deps.definitions.read({ workspaceId, modelId });
  const { companyId } = principal;
  const member = await memberPrincipal(deps.rights.table, { workspaceId, companyId, userId });
  if (!member) throw new AppError('MEMBER_NOT_FOUND');
  const reader = await readerOf(deps.rights.table, member);
  const tables = [...definition.tables.values()].map(sourcePlaceOf);
  const { sourceId } = definition.model;
  const rights = await tableRights(deps.rights, { workspaceId, sourceId, tables, reader: async () => reader });
  const shown: TableAccess[] = [];
  for (const table of definition.tables.values()) {
    const { schema, table: name } = sourcePlaceOf(table);
    const found = rights.protected.find(({ place }) => place.schema === schema && place.table === name);
    if (found) shown.push(await accessTo(deps, { definition, table, member }, found));
  }
  const { role, groups, attributes } = reader.values;
  return {
    userId,
    role,
    groups: [...groups],
    attributes: attributes as AccessPreview['attributes'],
    tables: shown,
    deniedFieldIds: [...deniedFields(definition, rights, reader)],
  };
}

const sourcePlaceOf = ({ sourceSchema: schema, sourceTable: table }: ModelTable) => ({ schema, table });

async function accessTo(
  deps: QuestionDeps,
  { definition, table, member }: { definition: ModelDefinition; table: ModelTable; member: Principal },
  rights: TableRights,
): Promise<TableAccess> {
  const isDataset = definition.model.sourceId === DATASETS;
  const { sql, params } = emitRows(rights, { dialect: isDataset ? 'duckdb' : 'postgres' });
  const { workspaceId } = definition.model;
  return {
    tableId: table.id,
    alias: table.alias,
    rows: rights.rows === 'all' || rights.rows === 'none' ? rights.rows : 'some',
    policies: await showPolicies(deps, workspaceId, rights.policies),
    condition: sql,
    params: params.map((value) => (typeof value === 'string' ? value : [...value])),
    hiddenColumns: [...rights.hidden],
    visibleRows: isDataset ? await visibleRows(deps, member, table.sourceTable) : null,
  };
}

async function showPolicies(
  { definitions }: QuestionDeps,
  workspaceId: string,
  policies: TableRights['policies'],
): Promise<TableAccess['policies']> {
  const shown = policies.map(async ({ modelId, policyId, ...checked }) => {
    const model = await definitions.read({ workspaceId, modelId });
    const policy = model.policies.get(policyId);
    // It may have been deleted a moment ago.
    if (!policy) return [];
    const { name } = policy;
    return [{ modelId, policyId, name, filterExpression: policyText(model, policy), ...checked }];
  });
  return (await Promise.all(shown)).flat();
}

/** Counted as the member would count them; null if the dataset has gone or has no column left to see. */
async function visibleRows(deps: QuestionDeps, principal: Principal, name: string): Promise<number | null> {
  const sql = `SELECT count(*) FROM ${quoteIdentifier(name)}`;
  const { workspaceId } = principal;
  const command = { workspaceId, principal, sql, params: [], limit: 1, timeoutMs: 10_000, timezone: 'UTC' };
  try {
    const { payload } = await runQuery(deps, command, 'rows');
    return Number((JSON.parse(payload) as unknown[][])[0]![0]);
  } catch (error) {
    if (error instanceof AppError && error.code === 'SQL_ERROR') return null;
    throw error;
  }
}
