import { DATASETS } from '../../semantics/models/index.ts';
import { type Copy, copyDefinition, type Reads } from '../../semantics/row-rights/index.ts';
import { referencedBy } from './check-test.ts';
import { grammarOf, type StoredTest } from './records.ts';

/**
 * A test as a copy of what it counts. Its SQL reads the rows of its table only, and datasets by a query of allowed
 * values.
 */
export function testCopy(test: StoredTest): Copy {
  const { workspaceId, id, sourceId, schemaName, tableName, columnName, testType, config, createdBy } = test;
  const definition = copyDefinition([sourceId, schemaName, tableName, columnName, testType, config]);
  const datasets = referencedBy(grammarOf(test));
  const reads: Reads =
    sourceId === DATASETS
      ? { sources: [], datasets: [tableName, ...datasets] }
      : { sources: [{ sourceId, tables: [{ schema: schemaName, table: tableName }] }], datasets };
  return { place: { workspaceId, kind: 'quality_test', id, definition }, createdBy: async () => createdBy, reads };
}
