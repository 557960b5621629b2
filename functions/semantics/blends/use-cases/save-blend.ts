import { SIDES, type Side } from '../../../../shared/data/blends/join-sql.ts';
import {
  type BlendRecord,
  checkBlend,
  fieldNamed,
  type StoredKey,
} from '../../../../shared/domains/semantics/blends/index.ts';
import { fieldsOf, type ModelDefinition, modelOrNone } from '../../../../shared/domains/semantics/models/index.ts';
import { canonicalTimezone } from '../../../../shared/domains/semantics/queries/index.ts';
import type { Principal } from '../../../../shared/platform/auth/principal.ts';
import { AppError, type Issue } from '../../../../shared/platform/errors/app-error.ts';
import { later } from '../../../../shared/platform/storage/ids.ts';
import { onNewest } from '../../../../shared/platform/storage/on-newest.ts';
import { suggestion } from '../../../../shared/platform/validation/names.ts';
import type { SaveBlend, SavedBlend } from '../schemas.ts';
import type { BlendGroupDeps } from './context.ts';
import { findBlend, showBlend } from './find-blend.ts';

/**
 * Throws `VALIDATION_FAILED`, `BLEND_KEY_TYPE` or `BLEND_KEY_TIMEZONE` with every issue, `BLEND_NAME_TAKEN`, and what
 * compiling a side for the caller throws.
 */
export async function createBlend(
  deps: BlendGroupDeps,
  { id, principal, blend }: { id: string; principal: Principal; blend: SaveBlend },
): Promise<SavedBlend> {
  const { workspaceId, userId } = principal;
  const at = deps.now().toISOString();
  const record: BlendRecord = {
    id,
    workspaceId,
    ...(await checkedBlend(deps, workspaceId, blend)),
    createdBy: userId,
    updatedBy: userId,
    createdAt: at,
    updatedAt: at,
    revision: 1,
  };
  return savedBlend(deps, principal, record, () => deps.blends.create(record));
}

/** Throws the same codes, and `BLEND_NOT_FOUND`. */
export function replaceBlend(
  deps: BlendGroupDeps,
  { id, principal, blend }: { id: string; principal: Principal; blend: SaveBlend },
): Promise<SavedBlend> {
  const { workspaceId, userId } = principal;
  return onNewest('STALE_WRITE', async () => {
    const before = await findBlend(deps, { workspaceId, id });
    const record: BlendRecord = {
      ...before,
      ...(await checkedBlend(deps, workspaceId, blend)),
      updatedBy: userId,
      updatedAt: later(before.updatedAt, deps.now()),
    };
    return savedBlend(deps, principal, record, () => deps.blends.replace(before, record));
  });
}

/** The keys must compare and be of fields that the author may use. The look at the rows decides nothing. */
async function savedBlend(
  deps: BlendGroupDeps,
  principal: Principal,
  record: BlendRecord,
  save: () => Promise<BlendRecord>,
): Promise<SavedBlend> {
  const check = await checkBlend(deps, record, principal);
  return { ...(await showBlend(deps, await save())), check };
}

async function checkedBlend(deps: BlendGroupDeps, workspaceId: string, input: SaveBlend) {
  const { keys, ...rest } = input;
  const tables = { left: input.leftTableId, right: input.rightTableId };
  const models = await modelsOf(deps, workspaceId, Object.values(tables));
  const issues: Issue[] = SIDES.flatMap((side) =>
    models.has(tables[side])
      ? []
      : [{ pointer: `/${side}TableId`, code: 'UNKNOWN_TABLE', message: 'is not a table of a model of the workspace' }],
  );
  if (input.leftAlias.toLowerCase() === input.rightAlias.toLowerCase())
    issues.push({ pointer: '/rightAlias', code: 'CONFLICT', message: 'must differ from leftAlias by more than case' });
  if (issues.length > 0) throw new AppError('VALIDATION_FAILED', { errors: issues });
  const definitions = { left: models.get(tables.left)!, right: models.get(tables.right)! };
  return {
    ...rest,
    leftModelId: definitions.left.model.id,
    rightModelId: definitions.right.model.id,
    keys: storedKeys(keys, definitions, tables),
  };
}

/** Throws `VALIDATION_FAILED` with every field that a table does not have. */
function storedKeys(
  keys: SaveBlend['keys'],
  definitions: Record<Side, ModelDefinition>,
  tables: Record<Side, string>,
): StoredKey[] {
  const issues: Issue[] = [];
  const stored = keys.map(({ left, right, timezone, ...options }, index): StoredKey => {
    const names = { left, right };
    const [leftFieldId = '', rightFieldId = ''] = SIDES.map((side) => {
      const field = fieldNamed(definitions[side], tables[side], names[side]);
      const known = fieldsOf(definitions[side], tables[side]).map(({ name }) => name);
      const message = `is not a field of the table${suggestion(names[side], known)}`;
      if (!field) issues.push({ pointer: `/keys/${index}/${side}`, code: 'UNKNOWN_FIELD', message });
      return field?.id;
    });
    const zone = timezone === null ? null : zoneOf(timezone, `/keys/${index}/timezone`, issues);
    return { leftFieldId, rightFieldId, ...options, timezone: zone };
  });
  for (const [index, key] of stored.entries()) {
    const isSame = ({ leftFieldId, rightFieldId }: StoredKey) =>
      leftFieldId === key.leftFieldId && rightFieldId === key.rightFieldId;
    if (stored.findIndex(isSame) < index)
      issues.push({ pointer: `/keys/${index}`, code: 'CONFLICT', message: 'is already a key' });
  }
  if (issues.length > 0) throw new AppError('VALIDATION_FAILED', { errors: issues });
  return stored;
}

function zoneOf(timezone: string, pointer: string, issues: Issue[]): string {
  try {
    return canonicalTimezone(timezone);
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    issues.push(...error.errors.map((issue) => ({ ...issue, pointer })));
    return timezone;
  }
}

/** The models of the tables, by the ids of those. A workspace has few models, and their definitions are cached. */
async function modelsOf(
  { models, definitions }: Pick<BlendGroupDeps, 'models' | 'definitions'>,
  workspaceId: string,
  tableIds: readonly string[],
): Promise<Map<string, ModelDefinition>> {
  const found = new Map<string, ModelDefinition>();
  for (const { id: modelId } of await models.readAll(workspaceId)) {
    const definition = await modelOrNone(definitions, { workspaceId, modelId });
    for (const id of tableIds) if (definition?.tables.has(id)) found.set(id, definition);
    if (tableIds.every((id) => found.has(id))) break;
  }
  return found;
}
