import { QueryCommand, TransactWriteCommand } from '@aws-sdk/lib-dynamodb';
import { expect, it, vi } from 'vitest';
import { emptyParts, type ModelDefinition } from '../../../../shared/domains/semantics/models/definition/definition.ts';
import {
  listProtections,
  protectionItems,
  removeProtection,
} from '../../../../shared/domains/semantics/models/protection/protections.ts';
import type { Table, TransactItem } from '../../../../shared/platform/storage/table.ts';
import { useLocalTable } from '../../../support/local-table.ts';

const local = useLocalTable();

/** A model with a policy on each of the tables. */
function definitionOf(workspaceId: string, id: string, sourceTables: readonly string[]): ModelDefinition {
  const tables = sourceTables.map((sourceTable) => ({ id: sourceTable, sourceSchema: '', sourceTable }));
  const policies = sourceTables.map((tableId) => ({ id: `policy-${tableId}`, tableId }));
  const byId = <T extends { id: string }>(parts: readonly T[]) => new Map(parts.map((part) => [part.id, part]));
  const model = { id, workspaceId, sourceId: 'datasets' };
  return { ...emptyParts(), model, tables: byId(tables), policies: byId(policies) } as unknown as ModelDefinition;
}

const write = (table: Table, TransactItems: TransactItem[]) =>
  table.db.send(new TransactWriteCommand({ TransactItems }));

const namesOf = async (table: Table, workspaceId: string) =>
  (await listProtections(table, workspaceId))
    .flatMap(({ tables }) => (tables ?? []).map((place) => place.table))
    .sort();

function queriesOf(table: Table): () => number {
  const send = vi.spyOn(table.db, 'send');
  return () => send.mock.calls.filter(([command]) => (command as unknown) instanceof QueryCommand).length;
}

it('are queried again only after a change, which every process sees with its next read', async () => {
  const [reader, writer] = [local.open(), local.open()];
  const queries = queriesOf(reader);
  expect(await namesOf(reader, 'w1')).toEqual([]);
  for (let turn = 0; turn < 3; turn += 1) expect(await namesOf(reader, 'w1')).toEqual([]);
  // The first has written the revision, under which the second has kept what it found.
  expect(queries()).toBe(2);

  const [none, one, two] = [[], ['facts'], ['facts', 'people']].map((names) => definitionOf('w1', 'm1', names));
  await write(writer, protectionItems(writer, none!, one!));
  for (let turn = 0; turn < 3; turn += 1) expect(await namesOf(reader, 'w1')).toEqual(['facts']);
  await write(writer, protectionItems(writer, one!, two!));
  for (let turn = 0; turn < 3; turn += 1) expect(await namesOf(reader, 'w1')).toEqual(['facts', 'people']);
  expect(queries()).toBe(4);
  await write(writer, protectionItems(writer, two!, none!));
  expect(await namesOf(reader, 'w1')).toEqual([]);
  await write(writer, protectionItems(writer, none!, one!));
  await write(writer, removeProtection(writer, { workspaceId: 'w1', modelId: 'm1' }));
  expect(await namesOf(reader, 'w1')).toEqual([]);
  // A change of an unprotected model is none of what is protected.
  expect(protectionItems(writer, none!, none!)).toEqual([]);
});

it('are those of each workspace, also where they are older than revisions', async () => {
  const [reader, writer] = [local.open(), local.open()];
  const [protection] = protectionItems(writer, definitionOf('w2', 'm1', []), definitionOf('w2', 'm1', ['old']));
  await write(writer, [protection!]);
  for (let turn = 0; turn < 3; turn += 1) {
    expect(await namesOf(reader, 'w2')).toEqual(['old']);
    expect(await namesOf(reader, 'w3')).toEqual([]);
  }
});

it('are queried again after a minute, whatever their revision', async () => {
  let nowMs = Date.parse('2026-01-01T00:00:00Z');
  const writer = local.open();
  const reader: Table = { ...local.open(), now: () => new Date(nowMs) };
  for (let turn = 0; turn < 2; turn += 1) expect(await namesOf(reader, 'w4')).toEqual([]);
  // As a function of a former version changes it.
  const [protection] = protectionItems(writer, definitionOf('w4', 'm1', []), definitionOf('w4', 'm1', ['facts']));
  await write(writer, [protection!]);
  expect(await namesOf(reader, 'w4')).toEqual([]);
  nowMs += 60_000;
  expect(await namesOf(reader, 'w4')).toEqual(['facts']);
});

it('are found by a process that may only read', async () => {
  const reader = local.open(({ command }) => (command.startsWith('Put') ? 'refused' : undefined));
  const writer = local.open();
  const definition = definitionOf('w5', 'm1', ['facts']);
  for (let turn = 0; turn < 2; turn += 1) expect(await namesOf(reader, 'w5')).toEqual([]);
  await write(writer, protectionItems(writer, definitionOf('w5', 'm1', []), definition));
  expect(await namesOf(reader, 'w5')).toEqual(['facts']);
});
