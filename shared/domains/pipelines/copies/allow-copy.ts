import { auditItems } from '../../../platform/audit/entry.ts';
import { AppError } from '../../../platform/errors/app-error.ts';
import { transact } from '../../../platform/storage/transact.ts';
import { type ModelDefinition, protectedPlaces } from '../../semantics/models/index.ts';
import { type CopyKind, checkCopy, copyItem, readCopy } from '../../semantics/row-rights/index.ts';
import { candidatesOf } from './candidates.ts';
import { type CopiesDeps, copiesAmong, type ListedCopy, listedCopy } from './list-copies.ts';

/**
 * Allows a copy of what the model protects, as it is defined now, or withdraws that. Another definition, or a policy on
 * another of its tables, asks again. Throws `MODEL_COPY_NOT_FOUND`.
 */
export async function allowCopy(
  deps: CopiesDeps,
  definition: ModelDefinition,
  { kind, id, allowed, userId }: { kind: CopyKind; id: string; allowed: boolean; userId: string },
): Promise<ListedCopy> {
  const { model } = definition;
  const all = await candidatesOf(deps.table, deps.objects, model.workspaceId);
  const named = all.filter(({ copy: { place } }) => place.kind === kind && place.id === id);
  const [found] = await copiesAmong(deps, definition, protectedPlaces(definition), named);
  if (!found) throw new AppError('MODEL_COPY_NOT_FOUND');
  const { place, createdBy } = found.candidate.copy;
  const [{ hidden }, stored, creator] = await Promise.all([
    checkCopy(deps, found.candidate.copy),
    readCopy(deps.table, place),
    createdBy(),
  ]);
  const definer = stored ? stored.definer : creator === null ? null : { userId: creator };
  const at = deps.now().toISOString();
  await transact(deps.table, [
    copyItem(deps.table, place, { definer, ...(allowed ? { allowed: { by: userId, at, tables: hidden } } : {}) }),
    ...(await auditItems(deps.table, {
      action: 'model.copy_decided',
      object: { type: 'model', id: model.id, name: model.name },
      after: { kind, id, name: found.candidate.name, allowed, tables: hidden },
    })),
  ]);
  return listedCopy(deps, found);
}
