import Type, { type Static } from 'typebox';
import { Dataset, DatasetColumn } from '../../shared/datasets/record.ts';
import { Page } from '../../shared/http/schemas.ts';

export const DatasetPage = Page(Dataset);

export const DatasetSchema = Type.Object(
  { version: Type.Integer(), columns: Type.Array(DatasetColumn) },
  { $id: 'DatasetSchema' },
);
export type DatasetSchema = Static<typeof DatasetSchema>;

export const PreviewQuery = Type.Object({ limit: Type.Integer({ minimum: 1, maximum: 200, default: 50 }) });

export const DatasetPreview = Type.Object(
  {
    version: Type.Integer(),
    columns: Type.Array(DatasetColumn),
    rows: Type.Array(Type.Array(Type.Unknown())),
    rowCount: Type.Integer(),
    truncated: Type.Boolean({ description: 'The dataset has more rows than these.' }),
  },
  { $id: 'DatasetPreview' },
);
export type DatasetPreview = Static<typeof DatasetPreview>;
