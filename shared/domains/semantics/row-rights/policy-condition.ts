import { type Dialect, emit, nodesOf, readsOf, type SqlColumn, type Typed } from '../../../data/expressions/index.ts';
import { isSameColumn, type ModelDefinition, type Policy, policyAnalysis } from '../models/index.ts';
import { type Partner, type Partners, partnersOf } from './partners.ts';
import type { Reader } from './reader.ts';
import { type KnownColumns, storageOf } from './stored-columns.ts';

/** A condition over columns of a source table, and of tables in which each of its rows has at most one match. */
export interface RowCondition {
  tree: Typed;
  /** The column of each field in the tree, by the id of the field. */
  columns: ReadonlyMap<string, RowColumn>;
  /** The other tables that the tree reads. A row without a match in one of them does not meet the condition. */
  partners: readonly Partner[];
}

export interface RowColumn extends SqlColumn {
  /** The index of its table among the partners; the table of the rows if absent. */
  partner?: number;
}

export interface PolicyContext {
  definition: ModelDefinition;
  /** The columns of a table of the model as they are now; null if they are not known. */
  columnsOf(tableId: string): KnownColumns | null;
  reader: Reader;
  dialect: Dialect;
  at: Date;
}

/**
 * What the policy means for the reader; undefined if it shows them nothing: it is stale, reads something of the user
 * that is not known, or a column that the source does not have as the field says. Steps of the model do not count here.
 */
export function policyCondition(policy: Policy, context: PolicyContext): RowCondition | undefined {
  const { definition, reader } = context;
  const { valid } = policyAnalysis(definition, policy);
  if (!valid || !knowsUser(valid.tree, reader)) return undefined;
  const others = readsOf(valid.tree).tables.filter((id) => id !== policy.tableId);
  const partners = partnersOf(context, policy.tableId, others);
  const columns = partners && columnsIn(valid.tree, policy.tableId, partners, context);
  const condition = columns && { tree: valid.tree, columns, partners: partners.list };
  return condition && isExpressible(condition, context) ? condition : undefined;
}

function knowsUser(tree: Typed, { values, hasEmail }: Reader): boolean {
  for (const node of nodesOf(tree)) {
    if (node.kind === 'user' && node.property === 'email' && !hasEmail) return false;
    if (node.kind === 'attribute' && !Object.hasOwn(values.attributes, node.name)) return false;
  }
  return true;
}

function columnsIn(
  tree: Typed,
  tableId: string,
  { indexes }: Partners,
  { definition, columnsOf, dialect }: PolicyContext,
): ReadonlyMap<string, RowColumn> | undefined {
  const found = new Map<string, RowColumn>();
  for (const id of readsOf(tree).fields) {
    const field = definition.fields.get(id);
    const columns = field && columnsOf(field.tableId);
    const column = columns?.find(({ name }) => field?.sourceColumn && isSameColumn(name, field.sourceColumn));
    const stored = column && storageOf(column.type, field!.dataType, dialect);
    const partner = field && indexes.get(field.tableId);
    if (!column || stored === undefined || (partner === undefined && field!.tableId !== tableId)) return undefined;
    found.set(id, {
      column: column.name,
      ...(stored === 'same' ? {} : { stored }),
      ...(partner === undefined ? {} : { partner }),
    });
  }
  return found;
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
