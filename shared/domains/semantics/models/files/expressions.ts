import { isDeepStrictEqual } from 'node:util';
import { referencesOf, type StoredExpression, toStored } from '../../../../data/expressions/index.ts';
import { folded, liveMeasures, type ModelDefinition } from '../definition/definition.ts';
import type { Measure, Policy } from '../definition/records.ts';
import {
  checkedFieldExpression,
  checkedMeasure,
  checkedPolicy,
  fieldText,
  isStaleField,
  measureAnalysis,
  measureText,
  policyAnalysis,
  policyText,
} from '../expressions/expressions.ts';
import { modelScope, tableScope } from '../expressions/scope.ts';
import { subjectsIssues } from '../parts/policies.ts';
import type { ImportContext } from './context.ts';
import { matched } from './match-parts.ts';
import type { FileMeasure } from './schema.ts';
import type { UnreadField } from './tables.ts';
import { MEASURE_DEFAULTS } from './views.ts';

/** What a stored part says now, and whether its expression has errors already. */
interface Stored {
  text: string;
  isStale: boolean;
  expression: StoredExpression;
}

/** The stored form of a text; that of the stored part while it means the same, so that nothing changes. */
function storedAs(next: StoredExpression, text: string, stored: Stored | undefined): StoredExpression {
  if (stored?.text !== text) return next;
  return isDeepStrictEqual(referencesOf(stored.expression), referencesOf(next)) ? stored.expression : next;
}

/** An expression with errors may stay as it is: a file of the model can always be imported again. */
const staysStale = (text: string, stored: Stored | undefined): stored is Stored =>
  stored?.isStale === true && stored.text === text;

/**
 * The model with the expressions of its calculated fields. References are read first and checked then: fields may refer
 * to each other in any order.
 */
export function withFieldExpressions(
  context: ImportContext,
  named: ModelDefinition,
  unread: readonly UnreadField[],
): ModelDefinition {
  const parts = unread.map((each) => ({ ...each, stored: storedField(context.definition, each.field.id) }));
  const fields = new Map(named.fields);
  for (const { field, text, stored } of parts) {
    const read = toStored(text, tableScope(named, field.tableId));
    const expression = staysStale(text, stored) ? stored.expression : storedAs(read, text, stored);
    fields.set(field.id, { ...field, expression });
  }
  const expressed = { ...named, fields };
  for (const { field, text, pointer, stored } of parts)
    if (!staysStale(text, stored)) context.checked(pointer, () => checkedFieldExpression(expressed, field, text));
  return expressed;
}

function storedField(definition: ModelDefinition, id: string): Stored | undefined {
  const field = definition.fields.get(id);
  if (!field?.expression) return undefined;
  return {
    text: fieldText(definition, field)!,
    isStale: isStaleField(definition, field),
    expression: field.expression,
  };
}

/** The measures of the file, by name or else by expression; and the model with them. */
export function importedMeasures(
  context: ImportContext,
  definition: ModelDefinition,
): { measures: Measure[]; expressed: ModelDefinition } {
  const { measures: wanted = [] } = context.read.file;
  context.reportRepeated(
    wanted,
    ({ name }) => name,
    (index) => `/measures/${index}/name`,
  );
  const current = matched<FileMeasure, Measure>(
    wanted,
    liveMeasures(context.definition),
    { ofWanted: ({ name }) => folded(name), ofCurrent: ({ name }) => folded(name) },
    { ofWanted: ({ expression }) => expression, ofCurrent: (measure) => measureText(context.definition, measure) },
  );
  const drafts = wanted.map((measure, index) => {
    const { expression: text, dataType, ...members } = { ...MEASURE_DEFAULTS, ...measure };
    const identity = current[index] ?? { ...context.fresh('measures'), deletedAt: null };
    const draft: Measure = { dataType: 'number', expression: { segments: [] }, ...identity, ...members };
    return {
      draft,
      text,
      dataType,
      stored: storedMeasure(context.definition, current[index]),
      pointer: `/measures/${index}`,
    };
  });
  const named = { ...definition, measures: mapOf(drafts.map(({ draft }) => draft)) };
  const scope = modelScope(named);
  const read = drafts.map(({ draft, text, stored }) => {
    const expression = staysStale(text, stored) ? stored.expression : storedAs(toStored(text, scope), text, stored);
    return { ...draft, expression };
  });
  const expressed = { ...definition, measures: mapOf(read) };
  const measures = read.map((measure, index) => {
    const { text, dataType, stored, pointer } = drafts[index]!;
    if (staysStale(text, stored)) return { ...measure, dataType: dataType ?? measure.dataType };
    const checked = context.checked(pointer, () => checkedMeasure(expressed, measure, { text, dataType }));
    return { ...measure, dataType: checked?.dataType ?? measure.dataType };
  });
  return { measures, expressed: { ...definition, measures: mapOf(measures) } };
}

const mapOf = <T extends { id: string }>(parts: readonly T[]) => new Map(parts.map((part) => [part.id, part]));

function storedMeasure(definition: ModelDefinition, measure: Measure | undefined): Stored | undefined {
  if (!measure) return undefined;
  const isStale = !measureAnalysis(definition, measure).ok;
  return { text: measureText(definition, measure), isStale, expression: measure.expression };
}

/** The policies of the file; those of the model if the file has no list of them. */
export function importedPolicies(context: ImportContext, definition: ModelDefinition): Policy[] {
  const current = [...context.definition.policies.values()];
  const { policies: wanted } = context.read.file;
  if (!wanted) return current;
  context.reportRepeated(
    wanted,
    ({ name }) => name,
    (index) => `/policies/${index}/name`,
  );
  const stored = new Map(current.map((policy) => [folded(policy.name), policy]));
  const tables = new Map([...definition.tables.values()].map((table) => [folded(table.alias), table]));
  return wanted.flatMap(({ name, table: alias, filterExpression: text, appliesTo }, index) => {
    const pointer = `/policies/${index}`;
    context.reportAll(pointer, subjectsIssues(appliesTo));
    const table = context.named(tables, { name: alias, pointer: `${pointer}/table`, what: 'table' });
    if (!table) return [];
    const before = stored.get(folded(name));
    const identity = before ?? { ...context.fresh('policies'), filterExpression: { segments: [] } };
    const policy: Policy = { ...identity, name, tableId: table.id, appliesTo };
    const was = storedPolicy(context.definition, before);
    if (staysStale(text, was)) return [policy];
    const checked = context.checked(pointer, () => checkedPolicy(definition, policy, text));
    return checked ? [{ ...checked, filterExpression: storedAs(checked.filterExpression, text, was) }] : [];
  });
}

function storedPolicy(definition: ModelDefinition, policy: Policy | undefined): Stored | undefined {
  if (!policy) return undefined;
  const isStale = !policyAnalysis(definition, policy).ok;
  return { text: policyText(definition, policy), isStale, expression: policy.filterExpression };
}
