import { outboxItem } from '../../../../shared/domains/events/events/index.ts';
import { publishCheck } from '../../../../shared/domains/quality/index.ts';
import {
  type Act,
  applyEdit,
  changesPolicies,
  type GateReason,
  gateReasons,
  liveMeasures,
  type ModelDefinition,
  type ModelVersion,
  restoreParts,
} from '../../../../shared/domains/semantics/models/index.ts';
import { isPermitted } from '../../../../shared/platform/auth/permissions.ts';
import type { Principal } from '../../../../shared/platform/auth/principal.ts';
import { AppError } from '../../../../shared/platform/errors/app-error.ts';
import { idFrom } from '../../../../shared/platform/storage/ids.ts';
import { onNewest } from '../../../../shared/platform/storage/on-newest.ts';
import type { PageOf } from '../../../../shared/platform/storage/page.ts';
import type { ModelDetails } from '../schemas.ts';
import { editModel, type ModelDeps } from '../use-cases/context.ts';
import { findModel, showDetails } from '../use-cases/models.ts';
import { refuseBreakingEdit } from '../use-cases/refuse-breaking-edit.ts';
import type { PublishModel } from './schemas.ts';

const MAX_REASONS = 100;

interface PublishCommand extends PublishModel {
  id: string;
  principal: Principal;
  requestId: string;
}

/** Throws `PUBLISH_GATE` with the reasons, `FORBIDDEN` or `VALIDATION_FAILED`. */
export function publishModel(deps: ModelDeps, command: PublishCommand): Promise<ModelVersion> {
  const { id: modelId, principal, override, requestId } = command;
  const { workspaceId } = principal;
  if (override) assertMayOverride(command);
  return onNewest('STALE_WRITE', async () => {
    const definition = await deps.definitions.read({ workspaceId, modelId });
    const { model } = definition;
    if (model.publishRequest === requestId) return deps.versions.find({ workspaceId, modelId }, model.latestVersion!);
    const reasons = [...gateReasons(definition), ...(await qualityReasons(deps, definition))];
    const version = newVersion(definition, command, reasons, deps.now());
    const published = {
      status: 'published' as const,
      latestVersion: version.version,
      publishedAt: version.publishedAt,
      hasUnpublishedChanges: false,
      updatedBy: principal.userId,
      revision: model.revision + 1,
      publishRequest: requestId,
    };
    await deps.definitions.commit(definition, applyEdit(definition, { model: published }), [
      ...deps.versions.items(definition, version),
      publishedEvent(deps, definition, version),
    ]);
    return version;
  });
}

function assertMayOverride({ principal, overrideReason }: PublishCommand): void {
  if (!isPermitted('models:override', principal)) throw new AppError('FORBIDDEN');
  if (overrideReason !== undefined && overrideReason.trim() !== '') return;
  const message = 'is required to override the checks';
  throw new AppError('VALIDATION_FAILED', { errors: [{ pointer: '/overrideReason', code: 'REQUIRED', message }] });
}

/** Tables of which tests have found too much wrong. */
async function qualityReasons({ table, now }: ModelDeps, definition: ModelDefinition): Promise<GateReason[]> {
  const { workspaceId, sourceId } = definition.model;
  const check = await publishCheck({ table, now }, workspaceId);
  if (!check) return [];
  return [...definition.tables.values()].flatMap(({ id, alias, sourceSchema: schemaName, sourceTable: tableName }) => {
    const message = check({ sourceId, schemaName, tableName });
    return message === undefined
      ? []
      : [{ code: 'DATA_QUALITY_LOW', message, part: { type: 'table', id, name: alias } }];
  });
}

function newVersion(
  definition: ModelDefinition,
  { principal, override, overrideReason }: PublishCommand,
  found: readonly GateReason[],
  at: Date,
): ModelVersion {
  const reasons = found.slice(0, MAX_REASONS);
  if (reasons.length > 0 && !override) throw new AppError('PUBLISH_GATE', { members: { reasons } });
  return {
    version: (definition.model.latestVersion ?? 0) + 1,
    publishedBy: principal.userId,
    publishedAt: at.toISOString(),
    gate: { passed: reasons.length === 0, overridden: reasons.length > 0, reasons },
    overrideReason: override ? overrideReason! : null,
    tableCount: definition.tables.size,
    fieldCount: definition.fields.size,
    measureCount: liveMeasures(definition).length,
  };
}

function publishedEvent(
  { table }: ModelDeps,
  { model }: ModelDefinition,
  { version, publishedBy, publishedAt }: ModelVersion,
) {
  const { workspaceId, id: modelId, name: modelName } = model;
  return outboxItem(table, {
    id: idFrom('model.published', modelId, version),
    workspaceId,
    event: 'model.published',
    data: { workspaceId, modelId, modelName, version, publishedBy, publishedAt, url: `/api/models/${modelId}` },
    at: new Date(publishedAt),
  });
}

export async function listVersions(
  deps: ModelDeps,
  { id, workspaceId, ...page }: { workspaceId: string; id: string; limit: number; offset: number },
): Promise<PageOf<ModelVersion>> {
  await findModel(deps, { workspaceId, id });
  return deps.versions.list({ workspaceId, modelId: id }, page);
}

/**
 * Throws `MODEL_VERSION_NOT_FOUND`, `FORBIDDEN` if row-level security would change by someone who may not change it, or
 * `REFERENCED` without `force` if other objects would break.
 */
export async function restoreVersion(
  deps: ModelDeps,
  { id: modelId, version, principal, force }: { id: string; version: number; principal: Principal; force: boolean },
): Promise<ModelDetails> {
  const { workspaceId, userId } = principal;
  const mayUnprotect = isPermitted('model-policies:manage', principal);
  await findModel(deps, { workspaceId, id: modelId });
  const parts = await deps.versions.read({ workspaceId, modelId }, version);
  const command = { workspaceId, modelId, userId, mayUnprotect, principal, force };
  const restore = (before: ModelDefinition, act: Act) => {
    if (!mayUnprotect && changesPolicies(before, parts)) {
      const detail = 'The version has other row-level security policies. Ask a workspace admin to restore it.';
      throw new AppError('FORBIDDEN', { detail });
    }
    return restoreParts(before, parts, act);
  };
  await refuseBreakingEdit(deps, command, restore);
  const definition = await editModel(deps, command, restore);
  return showDetails(deps, definition);
}
