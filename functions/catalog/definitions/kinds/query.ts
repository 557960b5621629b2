import * as Type from 'typebox';
import { content, folder } from '../../../../shared/domains/semantics/saved-queries/index.ts';
import { Name } from '../../../../shared/platform/http/schemas.ts';
import type { DefinitionKind } from './kind.ts';

const { sql, sourceId, datasetIds, params } = content;

export const query: DefinitionKind = {
  kind: 'query',
  members: Type.Object({
    name: Name,
    description: Type.String({ maxLength: 2000, default: '' }),
    folder: { ...folder, default: '' },
    sourceId: { ...sourceId, default: null },
    datasetIds: { ...datasetIds, default: null },
    params: { ...params, default: [] },
    sql,
  }),
  references: { sourceId: 'source', datasetIds: 'dataset' },
};
