import type { Principal } from '../../../platform/auth/principal.ts';
import { AppError } from '../../../platform/errors/app-error.ts';
import type { ModelDefinition } from '../models/index.ts';
import { type RightsDeps, readerOf, tableRights } from '../row-rights/index.ts';
import { DENIED_FIELD } from './ask-metric.ts';

/** A reader without groups, attributes or labels: what it may see, every member may see. */
export const publicReader = ({ workspaceId, companyId }: { workspaceId: string; companyId: string }): Principal => ({
  kind: 'apiKey',
  userId: 'platform',
  companyId,
  companyRole: 'member',
  workspaceId,
  role: 'viewer',
  scope: 'read',
  credentialId: 'platform',
});

/**
 * Whether anyone may be kept from rows or columns of the model's tables, so that their values must not reach everyone.
 */
export async function isProtected(
  rights: RightsDeps,
  { model, tables }: ModelDefinition,
  principal: Principal,
): Promise<boolean> {
  const { workspaceId, sourceId } = model;
  const places = [...tables.values()].map(({ sourceSchema: schema, sourceTable: table }) => ({ schema, table }));
  const found = await tableRights(rights, {
    workspaceId,
    sourceId,
    tables: places,
    reader: () => readerOf(rights.table, principal),
  });
  return found.protected.length > 0;
}

/** Whether the error means that the caller may not see what a metric is computed from. */
export function isDenied(error: unknown): boolean {
  if (!(error instanceof AppError)) return false;
  if (error.code === 'FORBIDDEN') return true;
  return error.errors.length > 0 && error.errors.every(({ code }) => HIDDEN.includes(code));
}

/** Of a field with a sensitivity label, and of a view whose rows cannot be filtered. */
const HIDDEN: readonly string[] = [DENIED_FIELD, 'RLS_RAW_SQL'];
