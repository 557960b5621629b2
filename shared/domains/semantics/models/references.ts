import { type References, references } from '../../../platform/storage/references.ts';
import type { Table } from '../../../platform/storage/table.ts';
import { measureReferencesKey } from './keys.ts';
import { modelRepository } from './repository.ts';

/** What refers to models from outside, such as metrics. */
export const modelReferences = (table: Table): References => references(table, 'MODEL', modelRepository(table).key);

/** What refers to the measures of a model from outside. */
export const measureReferences = (table: Table, modelId: string): References =>
  references(table, (workspaceId, measureId) => measureReferencesKey({ workspaceId, modelId }, measureId));
