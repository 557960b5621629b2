import {
  type Act,
  addField,
  addTable,
  findOfTable,
  findPart,
  knownColumns,
  type ModelDefinition,
  removeField,
  removeTable,
  tableReferences,
  updateField,
  updateTable,
} from '../../../../shared/domains/semantics/models/index.ts';
import { AppError } from '../../../../shared/platform/errors/app-error.ts';
import { onNewest } from '../../../../shared/platform/storage/on-newest.ts';
import { type PageOf, pageOf } from '../../../../shared/platform/storage/page.ts';
import { withReferences } from '../../../../shared/platform/storage/references.ts';
import { namedReferrers } from '../../../../shared/platform/storage/referrers.ts';
import type {
  AddTable,
  CreateField,
  ModelField,
  ModelTable,
  ModelTableWithFields,
  NamedPartsQuery,
  TablesQuery,
  UpdateField,
  UpdateTable,
} from '../schemas.ts';
import { type EditCommand, editModel, type ModelDeps } from '../use-cases/context.ts';
import { type RemoveCommand, refuseBreakingEdit } from '../use-cases/refuse-breaking-edit.ts';
import { byAlias, showField, showFields, showTable } from '../views.ts';

const isNamed =
  (wanted: string | undefined) =>
  ({ name }: { name: string }) =>
    wanted === undefined || name === wanted;

export async function listTables(
  deps: ModelDeps,
  { includeFields, limit, offset, ...place }: TablesQuery & { workspaceId: string; modelId: string },
): Promise<PageOf<ModelTableWithFields>> {
  const definition = await deps.definitions.read(place);
  const fields = new Map<string, ModelField[]>();
  if (includeFields) for (const { id } of definition.tables.values()) fields.set(id, showFields(definition, id));
  return pageOf([...definition.tables.values()].sort(byAlias), { limit, offset }, (table) => ({
    ...showTable(definition, table),
    ...(includeFields ? { fields: fields.get(table.id)! } : {}),
  }));
}

export async function findTable(
  deps: ModelDeps,
  { tableId, ...place }: { workspaceId: string; modelId: string; tableId: string },
): Promise<ModelTable> {
  const definition = await deps.definitions.read(place);
  return showTable(definition, findPart(definition, 'tables', tableId));
}

export async function createTable(
  deps: ModelDeps,
  command: EditCommand & { id: string; table: AddTable },
): Promise<ModelTable> {
  const { id, table } = command;
  const { model } = await deps.definitions.read(command);
  const known = knownColumns(await deps.sourceTables(model), table);
  const definition = await editModel(deps, command, (before, act) => addTable(before, { id, ...table, known }, act));
  return tableIn(definition, id);
}

/** Throws `REFERENCED` without `force` if another source table lacks columns that other objects need. */
export async function changeTable(
  deps: ModelDeps,
  command: RemoveCommand & { tableId: string; change: UpdateTable },
): Promise<ModelTable> {
  const { tableId: id, change } = command;
  const { model, ...parts } = await deps.definitions.read(command);
  const isMoved = change.sourceSchema !== undefined || change.sourceTable !== undefined;
  const known = isMoved
    ? knownColumns(await deps.sourceTables(model), { ...findPart(parts, 'tables', id), ...change })
    : undefined;
  const update = (before: ModelDefinition, act: Act) =>
    updateTable(before, { id, ...change, ...(isMoved ? { known } : {}) }, act);
  if (isMoved) await refuseBreakingEdit(deps, command, update);
  const definition = await editModel(deps, command, update);
  return tableIn(definition, id);
}

/** Throws `REFERENCED` if a blend joins the table, and without `force` if other objects would break. */
export async function deleteTable(deps: ModelDeps, command: RemoveCommand & { tableId: string }): Promise<void> {
  const { workspaceId, modelId, tableId: id } = command;
  await refuseBreakingEdit(deps, command, (definition, act) => removeTable(definition, { id }, act));
  const referrers = tableReferences(deps.table, modelId);
  await onNewest('STALE_WRITE', async () => {
    const referencedBy = await namedReferrers(deps.table, referrers)(workspaceId, id);
    const remove = (definition: ModelDefinition, act: Act) => {
      const edit = removeTable(definition, { id }, act);
      if (referencedBy.length > 0) throw new AppError('REFERENCED', { members: { referencedBy } });
      return edit;
    };
    await withReferences(
      [referrers.removeItem(workspaceId, id)],
      (items) => editModel(deps, command, remove, items),
      (cause) => new AppError('STALE_WRITE', { cause }),
    );
  });
}

const tableIn = (definition: ModelDefinition, id: string) => showTable(definition, findPart(definition, 'tables', id));

/** The visible fields of all tables, table by table. */
export async function listFields(
  deps: ModelDeps,
  { limit, offset, name, ...place }: NamedPartsQuery & { workspaceId: string; modelId: string },
): Promise<PageOf<ModelField>> {
  const definition = await deps.definitions.read(place);
  const order = new Map([...definition.tables.values()].sort(byAlias).map(({ id }, index) => [id, index]));
  const visible = [...definition.fields.values()]
    .filter((field) => !field.isHidden && isNamed(name)(field))
    .sort((a, b) => order.get(a.tableId)! - order.get(b.tableId)! || a.ordinal - b.ordinal || (a.id < b.id ? -1 : 1));
  return pageOf(visible, { limit, offset }, (field) => showField(definition, field));
}

export async function listTableFields(
  deps: ModelDeps,
  {
    limit,
    offset,
    name,
    tableId,
    ...place
  }: NamedPartsQuery & { workspaceId: string; modelId: string; tableId: string },
): Promise<PageOf<ModelField>> {
  const definition = await deps.definitions.read(place);
  findPart(definition, 'tables', tableId);
  return pageOf(showFields(definition, tableId).filter(isNamed(name)), { limit, offset }, (field) => field);
}

export async function createField(
  deps: ModelDeps,
  command: EditCommand & { id: string; tableId: string; field: CreateField },
): Promise<ModelField> {
  const { id, tableId, field } = command;
  const definition = await editModel(deps, command, (before, act) => addField(before, { id, tableId, ...field }, act));
  return showField(definition, findOfTable(definition, 'fields', { tableId, id }));
}

export async function changeField(
  deps: ModelDeps,
  command: EditCommand & { tableId: string; fieldId: string; change: UpdateField },
): Promise<ModelField> {
  const { tableId, fieldId: id, change } = command;
  const definition = await editModel(deps, command, (before, act) =>
    updateField(before, { id, tableId, ...change }, act),
  );
  return showField(definition, findOfTable(definition, 'fields', { tableId, id }));
}

/** Throws `REFERENCED` without `force` if other objects would break. */
export async function deleteField(
  deps: ModelDeps,
  command: RemoveCommand & { tableId: string; fieldId: string },
): Promise<void> {
  const { tableId, fieldId: id } = command;
  const remove = (definition: ModelDefinition, act: Act) => removeField(definition, { tableId, id }, act);
  await refuseBreakingEdit(deps, command, remove);
  await editModel(deps, command, remove);
}
