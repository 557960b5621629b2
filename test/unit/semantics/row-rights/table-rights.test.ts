import { describe, expect, it } from 'vitest';
import {
  addField,
  addPolicy,
  addTable,
  applyEdit,
  type Edit,
  emptyParts,
  type ModelDefinition,
  type ModelRecord,
  modelDefinitions,
  modelRepository,
} from '../../../../shared/domains/semantics/models/index.ts';
import {
  emitRows,
  type Reader,
  rightsDeps,
  rightsOfCaller,
  tableRights,
} from '../../../../shared/domains/semantics/row-rights/index.ts';
import type { Principal } from '../../../../shared/platform/auth/principal.ts';
import type { Table } from '../../../../shared/platform/storage/table.ts';
import { useLocalTable } from '../../../support/local-table.ts';

const local = useLocalTable();
const at = new Date('2026-01-01T00:00:00Z');
const act = { by: 'me', at };
const sourceId = crypto.randomUUID();

const READER: Reader = {
  subjects: [{ type: 'everyone' }],
  values: { id: 'me', email: '', role: 'editor', groups: [], attributes: { region: 'eu' } },
  hasEmail: false,
  labels: new Set(),
};

/** A stored model of one table with a policy on its column `id`. */
async function givenModel(table: Table, workspaceId: string, schema: string, filterExpression: string): Promise<void> {
  const id = crypto.randomUUID();
  const model = { id, workspaceId, name: id, sourceId, tableCount: 0, edition: 1, generation: id, revision: 1 };
  const times = { createdAt: at.toISOString(), updatedAt: at.toISOString() };
  await modelRepository(table).create({ ...model, ...times } as unknown as ModelRecord);
  const definitions = modelDefinitions(table, () => {
    throw new Error('the model is small');
  });
  const before = await definitions.read({ workspaceId, modelId: id });
  const edits: ((definition: ModelDefinition) => Edit)[] = [
    (definition) =>
      addTable(
        definition,
        {
          id: 't',
          sourceSchema: schema,
          sourceTable: 'orders',
          alias: 'orders',
          description: '',
          known: [{ name: 'id', type: 'integer' }],
        },
        act,
      ),
    (definition) =>
      addField(definition, { id: 'f', tableId: 't', name: 'id', fieldType: 'dimension', dataType: 'integer' }, act),
    (definition) =>
      addPolicy(
        definition,
        { id: 'p', name: 'p', tableId: 't', filterExpression, appliesTo: [{ type: 'everyone' }] },
        act,
      ),
  ];
  const after = edits.reduce<ModelDefinition>((definition, edit) => applyEdit(definition, edit(definition)), {
    ...emptyParts(),
    ...before,
  });
  await definitions.commit(before, after);
}

describe('the rights to a table', () => {
  it('are those of every model that may mean it, with and without a schema', async () => {
    const table = local.open();
    const workspaceId = crypto.randomUUID();
    await givenModel(table, workspaceId, 'a', '[id] = 1');
    await givenModel(table, workspaceId, 'b', '[id] = 2');
    const places = ['a', '', 'c'].map((schema) => ({ schema, table: 'Orders' }));
    const reader = async () => READER;
    const rights = await tableRights(
      rightsDeps(table, () => at),
      { workspaceId, sourceId, tables: places, reader },
    );
    const [a, any, c] = places.map((place) => {
      const found = rights.of(place);
      return found && emitRows(found, { dialect: 'postgres' }).sql;
    });
    expect(a).toBe('("id" = 1)');
    expect(any?.split(' AND ').sort()).toEqual(['("id" = 1)', '("id" = 2)']);
    expect(c).toBeUndefined();
    const other = { workspaceId, sourceId: crypto.randomUUID(), tables: 'all', reader } as const;
    expect(
      (
        await tableRights(
          rightsDeps(table, () => at),
          other,
        )
      ).fingerprint,
    ).toBe('all');
  });

  it('are read once for all that a question asks of one caller', async () => {
    const reads: string[] = [];
    const stored = local.open();
    const workspaceId = crypto.randomUUID();
    await givenModel(stored, workspaceId, 'a', '[id] = 1');
    const principal = { kind: 'apiKey', workspaceId, credentialId: 'key', role: 'editor' } as Principal;
    const table = local.open();
    table.db.middlewareStack.add(
      (next, { commandName = '' }) =>
        (args) => {
          reads.push(commandName);
          return next(args);
        },
      { step: 'initialize' },
    );
    const first = rightsOfCaller(
      rightsDeps(table, () => at),
      principal,
    );
    const tables = [{ schema: 'a', table: 'orders' }];
    const rights = await first.to({ sourceId, tables });
    const needed = reads.length;
    const again = await Promise.all([
      first.to({ sourceId, tables: tables.map((place) => ({ ...place, columns: [{ name: 'id', type: 'integer' }] })) }),
      first.to({ sourceId, tables: 'all' }),
      first.reader(),
    ]);
    expect(reads).toHaveLength(needed);
    expect(needed).toBeGreaterThan(0);
    for (const each of again.slice(0, 2) as (typeof rights)[]) expect(each.fingerprint).toBe(rights.fingerprint);
  });

  it('are read anew for the next question', async () => {
    const table = local.open();
    const workspaceId = crypto.randomUUID();
    const principal = { kind: 'apiKey', workspaceId, credentialId: 'key', role: 'editor' } as Principal;
    const deps = rightsDeps(table, () => at);
    const ask = () => rightsOfCaller(deps, principal).to({ sourceId, tables: [{ schema: 'a', table: 'orders' }] });
    expect((await ask()).restricted).toEqual([]);
    await givenModel(table, workspaceId, 'a', '[id] = 1');
    expect((await ask()).restricted).toHaveLength(1);
  });
});
