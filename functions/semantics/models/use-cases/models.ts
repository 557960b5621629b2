import { isDatabase } from '../../../../shared/data/connectors/database-types.ts';
import { outboxItem } from '../../../../shared/domains/events/events/index.ts';
import {
  assertParameters,
  assertUnprotectedModel,
  certifiedModel,
  DATASETS,
  type EndedModel,
  type ModelDefinition,
  type ModelRecord,
  modelState,
  removeProtection,
} from '../../../../shared/domains/semantics/models/index.ts';
import { changeCertification, matchingCertification } from '../../../../shared/domains/tenancy/certifications/index.ts';
import type { EndedObject, ShownPermission } from '../../../../shared/domains/tenancy/grants/index.ts';
import { sourceReferenceItems } from '../../../../shared/domains/warehouse/sources/index.ts';
import { isPermitted } from '../../../../shared/platform/auth/permissions.ts';
import type { Principal } from '../../../../shared/platform/auth/principal.ts';
import { AppError } from '../../../../shared/platform/errors/app-error.ts';
import { assertExpected } from '../../../../shared/platform/storage/expectation.ts';
import { idFrom } from '../../../../shared/platform/storage/ids.ts';
import { searching } from '../../../../shared/platform/storage/list-request.ts';
import type { PageOf } from '../../../../shared/platform/storage/page.ts';
import { withReferences } from '../../../../shared/platform/storage/references.ts';
import type { TransactItem } from '../../../../shared/platform/storage/table.ts';
import type { CreateModel, Model, ModelDetails, ModelListQuery, UpdateModel } from '../schemas.ts';
import { describeModel } from '../views.ts';
import { type EditCommand, editModel, type ModelDeps } from './context.ts';

interface Named {
  workspaceId: string;
  id: string;
}

/** Sorted and filtered by reading the records: a workspace has few models. */
export async function listModels(
  { models, certifications, permissions, now }: Pick<ModelDeps, 'models' | 'certifications' | 'permissions' | 'now'>,
  principal: Principal,
  { search, sort, isCertified, sourceId, ...page }: ModelListQuery,
): Promise<PageOf<Model>> {
  const { workspaceId } = principal;
  const [certified, permissionOn] = await Promise.all([
    certifications.ofKind(workspaceId, 'model'),
    permissions.onAll(principal),
  ]);
  const isFound = searching(search, ({ name, description }: ModelRecord) => [name, description]);
  const matches = matchingCertification(certified, isCertified, now(), isFound);
  const request = { ...page, having: { sourceId }, matches };
  const compare = (a: ModelRecord, b: ModelRecord) => b.tableCount - a.tableCount || a.name.localeCompare(b.name, 'en');
  const found = await models.list(workspaceId, sort === 'tables' ? { ...request, compare } : { ...request, sort });
  const items = found.items.map((model) => {
    const { id } = model;
    return describeModel(model, { certification: certified.get(id), permission: permissionOn(id), now: now() });
  });
  return { ...found, items };
}

/** Shown to those who have changed it, unless `permission` says otherwise. */
export async function showModel(
  { certifications, now }: Pick<ModelDeps, 'certifications' | 'now'>,
  model: ModelRecord,
  permission: ShownPermission = 'editor',
): Promise<Model> {
  const { workspaceId, id } = model;
  const certification = await certifications.find({ workspaceId, type: 'model', id }, { type: 'model', id });
  return describeModel(model, { certification, permission, now: now() });
}

/** Throws `DATA_SOURCE_NOT_FOUND`, `SOURCE_NOT_QUERYABLE` or `MODEL_NAME_TAKEN`. */
export async function createModel(
  deps: ModelDeps,
  command: { id: string; workspaceId: string; userId: string; model: CreateModel },
): Promise<ModelRecord> {
  const { id, workspaceId, userId, model } = command;
  const { name, description, sourceId } = model;
  if (sourceId !== DATASETS) {
    const source = await deps.sources.get(workspaceId, sourceId);
    if (!source) throw new AppError('DATA_SOURCE_NOT_FOUND');
    if (!isDatabase(source)) throw new AppError('SOURCE_NOT_QUERYABLE');
  }
  const now = deps.now();
  const at = now.toISOString();
  const created = outboxItem(deps.table, {
    id: idFrom('model.created', id),
    workspaceId,
    event: 'model.created',
    data: { workspaceId, modelId: id, modelName: name, createdBy: userId, createdAt: at, url: `/api/models/${id}` },
    at: now,
  });
  const record: ModelRecord = {
    id,
    workspaceId,
    name,
    description,
    sourceId,
    status: 'draft',
    latestVersion: null,
    publishedAt: null,
    hasUnpublishedChanges: true,
    tableCount: 0,
    calendar: null,
    createdBy: userId,
    updatedBy: userId,
    createdAt: at,
    updatedAt: at,
    revision: 1,
    edition: 1,
    generation: id,
  };
  return withReferences(
    referenceItems(deps, null, record),
    (items) => deps.models.create(record, [created, ...items]),
    (cause) => new AppError('DATA_SOURCE_NOT_FOUND', { cause }),
  );
}

/** Throws `VALIDATION_FAILED`, `MODEL_NOT_FOUND`, `MODEL_NAME_TAKEN`, or `FORBIDDEN` if the caller may not certify. */
export async function updateModel(
  deps: ModelDeps,
  { id: modelId, principal, change }: { id: string; principal: Principal; change: UpdateModel },
): Promise<Model> {
  const { workspaceId, userId } = principal;
  const { isCertified, certifiedBy, ...described } = change;
  const isAsked = isCertified !== undefined || certifiedBy !== undefined;
  if (isAsked && !isPermitted('catalog:certify', principal))
    throw new AppError('FORBIDDEN', { detail: 'Only admins certify models.' });
  const { model } = await editModel(deps, { workspaceId, modelId, userId, mayUnprotect: false }, (definition) => {
    const { model: before } = definition;
    assertExpected(before.id, before.revision);
    const { name = before.name, description, calendar, parameters } = described;
    if (parameters) assertParameters(definition, parameters);
    const isMeant = description !== undefined || calendar !== undefined || parameters !== undefined;
    if (described.name === undefined && !isMeant && isAsked) return {};
    return {
      model: {
        ...described,
        hasUnpublishedChanges: before.hasUnpublishedChanges || before.name !== name || isMeant,
        updatedBy: userId,
        revision: before.revision + 1,
      },
    };
  });
  if (isAsked)
    await changeCertification(deps, {
      principal,
      certified: certifiedModel(deps.table, model),
      isCertified,
      certifiedBy,
    });
  return showModel(deps, model);
}

/**
 * Throws `REFERENCED` with what uses it, as far as the caller may see that. The model is gone at once; its parts,
 * versions and grants are removed then or by the worker.
 */
export async function deleteModel(
  deps: ModelDeps,
  { principal, id, mayUnprotect }: { principal: Principal; id: string } & Pick<EditCommand, 'mayUnprotect'>,
): Promise<void> {
  const { workspaceId } = principal;
  const ended: (EndedObject | EndedModel)[] = [
    { kind: 'object', workspaceId, objectType: 'model', objectId: id },
    { kind: 'model', workspaceId, modelId: id },
  ];
  await deps.deleteUnused(
    { principal, id },
    async () => {
      const definition = await deps.definitions.read({ workspaceId, modelId: id });
      if (!mayUnprotect) assertUnprotectedModel(definition);
      return definition.model;
    },
    (model, free) =>
      deps.models.remove(model, 'STALE_WRITE', [
        ...ended.map((each) => deps.cleanUpItem(each)),
        ...referenceItems(deps, model, null),
        ...removeProtection(deps.table, { workspaceId, modelId: id }),
        ...free,
      ]),
  );
  for (const each of ended) await deps.cleanUpNow(each);
}

export async function findModel(
  { models }: Pick<ModelDeps, 'models'>,
  { workspaceId, id }: Named,
): Promise<ModelRecord> {
  const model = await models.get(workspaceId, id);
  if (!model) throw new AppError('MODEL_NOT_FOUND');
  return model;
}

function referenceItems(
  { table }: Pick<ModelDeps, 'table'>,
  previous: ModelRecord | null,
  next: ModelRecord | null,
): TransactItem[] {
  const { workspaceId, id } = (previous ?? next)!;
  const idsOf = (model: ModelRecord | null) => (model && model.sourceId !== DATASETS ? [model.sourceId] : []);
  return sourceReferenceItems(table, { workspaceId, type: 'model', id }, idsOf(previous), idsOf(next));
}

/** The model with the state of its parts. */
export async function modelDetails(
  deps: ModelDeps,
  { principal, id }: { principal: Principal; id: string },
): Promise<ModelDetails> {
  const { workspaceId } = principal;
  const definition = await deps.definitions.read({ workspaceId, modelId: id });
  return showDetails(deps, definition, await deps.permissions.on(principal, id));
}

export async function showDetails(
  deps: ModelDeps,
  definition: ModelDefinition,
  permission?: ShownPermission,
): Promise<ModelDetails> {
  const { model } = definition;
  return {
    ...(await showModel(deps, model, permission)),
    ...modelState(definition),
    whereUsed: `/api/catalog/lineage/model/${model.id}?direction=down`,
  };
}
