import { type Dialect, emit, nodesOf, readsOf, type SqlColumn, type Typed } from '../../data/expressions/index.ts';
import { dataTypeOf } from '../../data/transforms/index.ts';
import { isSameColumn, type ModelDefinition, type Policy, policyAnalysis } from '../models/index.ts';
import type { Reader } from './reader.ts';

/** The columns of a source table with their types in the words of the platform. */
export type KnownColumns = readonly { name: string; type: string }[];

/** A condition over columns of a source table. */
export interface RowCondition {
  tree: Typed;
  /** The column of each field in the tree, by the id of the field. */
  columns: ReadonlyMap<string, SqlColumn>;
}

export interface PolicyContext {
  definition: ModelDefinition;
  columns: KnownColumns | null;
  reader: Reader;
  dialect: Dialect;
  at: Date;
}

/**
 * What the policy means for the reader; undefined if it shows them nothing: it is stale, reads something of the user that is
 * not known, or a column that the source does not have as the field says. Steps of the model do not count here.
 */
export function policyCondition(policy: Policy, context: PolicyContext): RowCondition | undefined {
  const { definition, reader } = context;
  const { valid } = policyAnalysis(definition, policy);
  if (!valid || !knowsUser(valid.tree, reader)) return undefined;
  const columns = columnsOf(valid.tree, context);
  const condition = columns && { tree: valid.tree, columns };
  return condition && isExpressible(condition, context) ? condition : undefined;
}

function knowsUser(tree: Typed, { values, hasEmail }: Reader): boolean {
  for (const node of nodesOf(tree)) {
    if (node.kind === 'user' && node.property === 'email' && !hasEmail) return false;
    if (node.kind === 'attribute' && !Object.hasOwn(values.attributes, node.name)) return false;
  }
  return true;
}

function columnsOf(
  tree: Typed,
  { definition, columns, dialect }: PolicyContext,
): ReadonlyMap<string, SqlColumn> | undefined {
  const found = new Map<string, SqlColumn>();
  for (const id of readsOf(tree).fields) {
    const field = definition.fields.get(id);
    const column = columns?.find(({ name }) => field?.sourceColumn && isSameColumn(name, field.sourceColumn));
    const stored = column && storageOf(column.type, field!.dataType, dialect);
    if (!column || stored === undefined) return undefined;
    found.set(id, { column: column.name, ...(stored === 'same' ? {} : { stored }) });
  }
  return found;
}

/**
 * How the column holds values of the field's type; undefined if reading it as that type could fail, because the error would
 * show a value of a hidden row.
 */
function storageOf(columnType: string, dataType: string, dialect: Dialect): 'same' | SqlColumn['stored'] | undefined {
  if (dataType === 'string') return columnType === 'string' && dialect === 'duckdb' ? 'same' : 'other';
  const type = dataTypeOf(columnType);
  if (type === 'datetime' && dataType === 'datetime')
    return /tz$|with time zone/i.test(columnType) ? 'same' : 'timestamp';
  if (type === dataType) return 'same';
  const isWider = (type === 'integer' && dataType !== 'boolean') || (type === 'decimal' && dataType === 'number');
  return isWider && ['number', 'decimal'].includes(dataType) ? 'other' : undefined;
}

/** An attribute may have several values where one is needed, or be a text beside an integer. */
function isExpressible(condition: RowCondition, { reader, dialect, at }: PolicyContext): boolean {
  const emission = emit(condition.tree, {
    dialect,
    columnOf: ({ field }) => condition.columns.get(field)!,
    now: at,
    principal: reader.values,
  });
  return emission.kind === 'sql' && emission.missingAttributes.length === 0;
}
