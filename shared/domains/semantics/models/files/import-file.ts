import { isDeepStrictEqual } from 'node:util';
import { type Edit, emptyParts, liveMeasures, type ModelDefinition, PART_KINDS } from '../definition/definition.ts';
import { assertCount, assertRoom } from '../definition/limits.ts';
import type { Measure, ModelRecord, Policy } from '../definition/records.ts';
import { restoreParts } from '../definition/restore.ts';
import { policyAnalysis } from '../expressions/expressions.ts';
import { keptDeleted, MAX_DELETED } from '../parts/measures.ts';
import { parameterIssues } from '../parts/parameters.ts';
import { assertUnprotected } from '../parts/tables.ts';
import { checkParts } from './check-parts.ts';
import { ImportContext, type ImportOptions } from './context.ts';
import { importedMeasures, importedPolicies, withFieldExpressions } from './expressions.ts';
import type { ReadFile } from './read.ts';
import { importedHierarchies, importedRelationships, importedRollups } from './structure.ts';
import { importedTables } from './tables.ts';

/**
 * The edit that makes the model that of the file. Parts that the file does not have are removed; without a list of
 * policies in the file, the policies stay. Throws `VALIDATION_FAILED` with all issues, `MODEL_TABLE_PROTECTED` or
 * `MODEL_TOO_LARGE`.
 */
export function importFile(definition: ModelDefinition, read: ReadFile, options: ImportOptions): Edit {
  // Checking many thousands of parts in vain would take long.
  const { tables: fileTables = [] } = read.file;
  for (const kind of ['fields', 'transforms'] as const)
    assertCount(
      kind,
      fileTables.reduce((sum, table) => sum + (table[kind]?.length ?? 0), 0),
    );
  const context = new ImportContext(definition, read, options);
  const imported = importedTables(context);
  const tables = byId(imported.tables);
  const { parameters = [], measures: fileMeasures = [] } = read.file;
  const names = fileMeasures.map(({ name }) => name);
  context.reportAll('/parameters', parameterIssues(parameters, names));
  const named: ModelDefinition = {
    model: { ...definition.model, parameters },
    ...emptyParts(),
    tables,
    fields: byId(imported.fields),
    transforms: byId(imported.transforms),
  };
  const calculated = withFieldExpressions(context, named, imported.calculated);
  // Measures are checked with the joins that they need.
  const joined = { ...calculated, relationships: byId(importedRelationships(context, calculated)) };
  const { measures, expressed } = importedMeasures(context, joined);
  const measured = { ...expressed, measures: byId([...measures, ...deletedMeasures(context, measures)]) };
  const structured = {
    ...measured,
    hierarchies: byId(importedHierarchies(context, expressed)),
    rollups: byId(importedRollups(context, measured)),
  };
  checkParts(context, structured, imported);
  const policies = importedPolicies(context, structured);
  context.assertValid();
  const wanted: ModelDefinition = { ...structured, policies: byId(policies) };
  for (const kind of PART_KINDS) assertRoom(wanted, kind, 0);
  assertPoliciesHold(definition, wanted);
  const model = changedRecord(definition.model, context);
  return { ...restoreParts(definition, wanted, options.act), ...(model ? { model } : {}) };
}

const byId = <T extends { id: string }>(parts: readonly T[]) => new Map(parts.map((part) => [part.id, part]));

/** Measures that the file does not have are deleted as others are: they are kept for a while. */
function deletedMeasures({ definition, options }: ImportContext, live: readonly Measure[]): Measure[] {
  const ids = new Set(live.map(({ id }) => id));
  const deletedAt = options.act.at.toISOString();
  const removed = liveMeasures(definition)
    .filter(({ id }) => !ids.has(id))
    .map((measure) => ({ ...measure, deletedAt }));
  return [...removed, ...keptDeleted(definition, removed.length)].slice(0, MAX_DELETED);
}

/** Policies that stay must keep their table, and must not become stale: readers would lose all of its rows. */
function assertPoliciesHold(before: ModelDefinition, after: ModelDefinition): void {
  for (const policy of after.policies.values()) {
    const current = before.policies.get(policy.id);
    if (current) assertKept(before, after, current, policy);
  }
}

function assertKept(before: ModelDefinition, after: ModelDefinition, current: Policy, policy: Policy): void {
  const [was, is] = [before.tables.get(current.tableId)!, after.tables.get(policy.tableId)];
  const isMoved = is && (is.sourceSchema !== was.sourceSchema || is.sourceTable !== was.sourceTable);
  if (!is || (isMoved && is.id === was.id)) assertUnprotected(before, was);
  if (is && policyAnalysis(before, current).ok && !policyAnalysis(after, policy).ok) assertUnprotected(before, was);
}

function changedRecord(model: ModelRecord, { read, options }: ImportContext): Partial<ModelRecord> | undefined {
  const { name = model.name, description = '', calendar = null, parameters = [] } = read.file;
  const described = { name, description, calendar, parameters };
  const { name: was, description: text, calendar: years = null, parameters: chosen = [] } = model;
  if (isDeepStrictEqual(described, { name: was, description: text, calendar: years, parameters: chosen }))
    return undefined;
  return { ...described, updatedBy: options.act.by, revision: model.revision + 1 };
}
