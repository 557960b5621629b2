import type { DownloadLinks } from '../../../../shared/domains/semantics/queries/index.ts';
import { type LogFilter, type LogScope, readLog } from '../../../../shared/domains/tenancy/audit/index.ts';
import { recordAct } from '../../../../shared/platform/audit/entry.ts';
import type { Principal } from '../../../../shared/platform/auth/principal.ts';
import { AppError } from '../../../../shared/platform/errors/app-error.ts';
import type { Cursors } from '../../../../shared/platform/http/cursor.ts';
import type { ObjectStore } from '../../../../shared/platform/objects/object-store.ts';
import type { Table } from '../../../../shared/platform/storage/table.ts';
import type { AuditExport, AuditLogPage, LogQuery } from '../schemas.ts';

/** How many entries a request reads at most, with those that its filters leave out. */
const MAX_READ = 10_000;
const MAX_EXPORTED = 20_000;
const NDJSON = 'application/x-ndjson';

interface Deps {
  table: Table;
  cursors: Cursors;
  now(): Date;
}

export async function listAuditLog(
  deps: Deps,
  principal: Principal,
  { limit, ...query }: LogQuery & { limit: number },
): Promise<AuditLogPage> {
  return readPart(deps, principal, query, { limit, maxRead: MAX_READ });
}

/** Writes a part of the log to a file. The file holds what its reader may see now, so it expires like other results. */
export async function exportAuditLog(
  deps: Deps & { objects: Pick<ObjectStore, 'write'>; links: DownloadLinks },
  principal: Principal,
  query: LogQuery & { exportId: string },
): Promise<AuditExport> {
  const { exportId, ...wanted } = query;
  const { items, nextCursor } = await readPart(deps, principal, wanted, {
    limit: MAX_EXPORTED,
    maxRead: MAX_EXPORTED,
  });
  const file = Buffer.from(items.map((entry) => `${JSON.stringify(entry)}\n`).join(''));
  const key = `results/${principal.workspaceId}/files/${exportId}.ndjson`;
  await deps.objects.write(key, file, NDJSON);
  const { cursor: _, ...filters } = wanted;
  await recordAct(deps.table, {
    action: 'audit_log.exported',
    object: { type: 'audit-log', id: exportId, name: null },
    after: { entries: items.length, ...filters },
  });
  const link = await deps.links.sign(key, 'audit-log.ndjson');
  return { ...link, bytes: file.length, contentType: NDJSON, entries: items.length, nextCursor };
}

async function readPart(
  { table, cursors, now }: Deps,
  principal: Principal,
  { cursor, workspaceId, ...given }: LogQuery,
  part: { limit: number; maxRead: number },
): Promise<AuditLogPage> {
  const scope = scopeOf(principal, workspaceId);
  const filter = withInstants(given);
  const place = { workspaceId: principal.workspaceId, list: ['audit-log', scope, filter] };
  const after = cursor && (await cursors.open(cursor, place, now())).after;
  const { items, last } = await readLog(table, scope, filter, { ...part, after });
  const nextCursor = last ? await cursors.seal({ after: last, asOf: last.slice(0, 24) }, place, now()) : null;
  return { items, nextCursor };
}

/**
 * Another workspace than the caller's is visible to company admins only; in another company, its log has no entries.
 */
function scopeOf({ kind, companyRole, companyId, role, workspaceId }: Principal, wanted?: string): LogScope {
  if (kind === 'user' && companyRole === 'company_admin') return { companyId, workspaceId: wanted ?? null };
  if (role !== 'admin' || (wanted !== undefined && wanted !== workspaceId)) throw new AppError('FORBIDDEN');
  return { companyId, workspaceId };
}

/** Positions begin with instants in UTC with milliseconds, so those of the client get the same form. */
function withInstants({ from, to, ...filter }: LogFilter): LogFilter {
  return {
    ...filter,
    ...(from === undefined ? {} : { from: new Date(from).toISOString() }),
    ...(to === undefined ? {} : { to: new Date(to).toISOString() }),
  };
}
