import type { Dataset } from '../../warehouse/datasets/index.ts';
import {
  DATASETS,
  emptyParts,
  fieldDefaults,
  type ModelDefinition,
  type ModelField,
  type ModelTable,
} from '../models/index.ts';

/**
 * A dataset as a model of one table, whose fields have the ids and names of its columns: charts of datasets are
 * questions like those to models, with the same rights.
 */
export function datasetModel(dataset: Dataset): ModelDefinition {
  const { id, workspaceId, name, columns, createdAt, updatedAt, revision } = dataset;
  const createdBy = dataset.createdBy ?? workspaceId;
  const stamps = { createdBy, updatedBy: createdBy, createdAt, updatedAt, revision };
  return modelOfTable({ id, workspaceId, name, sourceId: DATASETS, alias: name, columns, ...stamps });
}

type Stamps = Pick<ModelTable, 'createdBy' | 'updatedBy' | 'createdAt' | 'updatedAt' | 'revision'>;

interface OnlyTable extends Stamps {
  id: string;
  workspaceId: string;
  /** In the source. */
  name: string;
  sourceId: string;
  /** How expressions name it. */
  alias: string;
  columns: readonly { name: string; type: string }[];
}

/** A table as a model of its own, whose fields have the ids and names of the columns. */
export function modelOfTable({
  id,
  workspaceId,
  name,
  sourceId,
  alias,
  columns,
  ...stamps
}: OnlyTable): ModelDefinition {
  const known = columns.map(({ name: columnName, type }) => ({ name: columnName, type }));
  const table: ModelTable = {
    id,
    sourceSchema: '',
    sourceTable: name,
    alias,
    description: '',
    columns: known,
    missing: false,
    ...stamps,
  };
  const fields = known.map(
    (column, ordinal): ModelField => ({
      id: column.name,
      tableId: id,
      name: column.name,
      sourceColumn: column.name,
      ...fieldDefaults({ ...column, isKey: false }),
      format: null,
      description: '',
      isHidden: false,
      sortByField: null,
      isMetric: false,
      ordinal,
      sensitivityLabel: null,
      isKey: false,
      expression: null,
      ...stamps,
    }),
  );
  return {
    ...emptyParts(),
    model: {
      id,
      workspaceId,
      name,
      description: '',
      sourceId,
      status: 'draft',
      latestVersion: null,
      publishedAt: null,
      hasUnpublishedChanges: false,
      tableCount: 1,
      edition: stamps.revision,
      generation: '',
      ...stamps,
    },
    tables: new Map([[id, table]]),
    fields: new Map(fields.map((field) => [field.id, field])),
  };
}
