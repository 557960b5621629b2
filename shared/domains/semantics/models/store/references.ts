import { type References, references } from '../../../../platform/storage/references.ts';
import type { Table } from '../../../../platform/storage/table.ts';
import { partReferencesKey } from '../definition/keys.ts';
import { modelRepository } from './repository.ts';

/** What refers to models from outside, such as metrics. */
export const modelReferences = (table: Table): References => references(table, 'MODEL', modelRepository(table).key);

/** What refers to the measures of a model from outside. */
export const measureReferences = (table: Table, modelId: string): References => partReferences(table, modelId);

/** What refers to the tables of a model from outside, such as blends. */
export const tableReferences = (table: Table, modelId: string): References => partReferences(table, modelId);

const partReferences = (table: Table, modelId: string): References =>
  references(table, (workspaceId, partId) => partReferencesKey({ workspaceId, modelId }, partId));
