import { folded } from '../duckdb/column-names.ts';
import type { TreeNode } from '../sql/parse-tree.ts';
import { call } from './calls.ts';
import { castTo } from './casts.ts';
import { alike, type Comparison, comparisonSql } from './comparisons.ts';
import { type Context, condition, listOf, rejectUnknownMembers } from './context.ts';
import { decimal, double, ofParameter, text, truth, whole } from './literals.ts';
import { resolve } from './scope.ts';
import { NULL, type Typed } from './typed.ts';
import { mismatch, unify } from './unify.ts';
import { windowOf } from './windows.ts';

const SIGNS: Record<string, Comparison> = {
  COMPARE_EQUAL: '=',
  COMPARE_NOTEQUAL: '<>',
  COMPARE_LESSTHAN: '<',
  COMPARE_LESSTHANOREQUALTO: '<=',
  COMPARE_GREATERTHAN: '>',
  COMPARE_GREATERTHANOREQUALTO: '>=',
};

/** Types by DuckDB's names. Smaller integers would overflow in Trino, and floats have other digits. */
const CAST_TYPES: Record<string, string> = {
  VARCHAR: 'string',
  BIGINT: 'integer',
  DOUBLE: 'double',
  BOOLEAN: 'boolean',
  DATE: 'date',
  TIMESTAMP: 'timestamp',
};

/**
 * Translates a value of DuckDB's parse tree. Values without a counterpart are reported and replaced by an unknown
 * value.
 */
export function expression(node: TreeNode, context: Context): Typed {
  const { issues } = context;
  switch (node.class) {
    case 'COLUMN_REF':
      return columnRef(node, context);
    case 'CONSTANT':
      return constant(node) ?? issues.add('A constant of this kind or size has no counterpart in Athena.', node);
    case 'PARAMETER': {
      const bound = context.params[Number(node.identifier) - 1];
      const made = bound === undefined ? undefined : ofParameter(bound);
      return made ?? issues.add('A list or an instant as a parameter has no counterpart in Athena.', node);
    }
    case 'CAST':
      return cast(node, context);
    case 'COMPARISON':
      return comparison(node, context);
    case 'CONJUNCTION':
      return conjunction(node, context);
    case 'BETWEEN':
      return between(node, context);
    case 'CASE':
      return caseOf(node, context);
    case 'OPERATOR':
      return operator(node, context);
    case 'FUNCTION':
      return call(node, context);
    case 'WINDOW':
      return windowOf(node, context);
    case 'SUBQUERY':
      return subquery(node, context);
    default:
      return issues.add(`${String(node.class).toLowerCase()} expressions have no counterpart in Athena.`, node);
  }
}

function columnRef(node: TreeNode, context: Context): Typed {
  rejectUnknownMembers(context, node, ['column_names']);
  const names = node.column_names as string[];
  const found =
    resolve(context.scope, names) ?? (names.length === 1 ? context.aliases?.get(folded(names[0]!)) : undefined);
  if (found?.barred) return context.issues.add(found.barred, node);
  if (found) return found;
  const name = names.join('.');
  if (/^(current_(date|time|timestamp)|localtime(stamp)?)$/i.test(name)) {
    return context.issues.add(`${name} is another moment in Athena than in the step.`, node);
  }
  return context.issues.add(`The name ${name} is not a column of a table, so it has no counterpart in Athena.`, node);
}

function constant({ value }: TreeNode): Typed | undefined {
  const {
    type,
    is_null: isNull,
    value: content,
  } = value as {
    type: { id: string; type_info?: { width: number; scale: number } };
    is_null: boolean;
    value?: unknown;
  };
  if (isNull || type.id === 'NULL') return NULL;
  if (type.id === 'VARCHAR') return text(String(content ?? ''));
  if (type.id === 'BOOLEAN') return truth(content === true);
  if (typeof content !== 'number') return undefined;
  if (type.id === 'DOUBLE') return double(content);
  if (!Number.isSafeInteger(content)) return undefined;
  if (type.id === 'DECIMAL') return decimal(content, type.type_info!.width, type.type_info!.scale);
  return type.id === 'INTEGER' || type.id === 'BIGINT' ? whole(content) : undefined;
}

function cast(node: TreeNode, context: Context): Typed {
  rejectUnknownMembers(context, node, ['child', 'cast_type', 'try_cast']);
  const {
    child,
    cast_type: wanted,
    try_cast: lenient = false,
  } = node as unknown as {
    child: TreeNode;
    cast_type: { id: string; type_info?: { width: number; scale: number; alias?: string } };
    try_cast?: boolean;
  };
  const type =
    wanted.id === 'DECIMAL' ? `decimal(${wanted.type_info!.width},${wanted.type_info!.scale})` : CAST_TYPES[wanted.id];
  // Types such as JSON are reported as texts with another name.
  if (!type || (wanted.id !== 'DECIMAL' && wanted.type_info)) {
    return context.issues.add(`The type ${wanted.id} has no counterpart in Athena.`, node);
  }
  const value = expression(child, context);
  if (
    value.type === 'string' &&
    value.text !== undefined &&
    (value.text === 't' || value.text === 'f') &&
    type === 'boolean'
  ) {
    return truth(value.text === 't');
  }
  const made = castTo(value, type, lenient);
  return made ?? context.issues.add(`A cast from ${value.type} to ${type} has other results in Athena.`, node);
}

function comparison(node: TreeNode, context: Context): Typed {
  rejectUnknownMembers(context, node, ['left', 'right']);
  const [a, b] = [expression(node.left as TreeNode, context), expression(node.right as TreeNode, context)];
  const sign = SIGNS[String(node.type)];
  if (sign) {
    const made = comparisonSql(sign, a, b);
    return made ? { sql: made, type: 'boolean' } : mismatch(context, node, a, b);
  }
  const word = { COMPARE_DISTINCT_FROM: 'IS DISTINCT FROM', COMPARE_NOT_DISTINCT_FROM: 'IS NOT DISTINCT FROM' }[
    String(node.type)
  ];
  if (!word) return context.issues.add(`${node.type} has no counterpart in Athena.`, node);
  const both = alike(a, b);
  if (!both) return mismatch(context, node, a, b);
  return { sql: `(${both[0].sql} ${word} ${both[1].sql})`, type: 'boolean' };
}

function conjunction(node: TreeNode, context: Context): Typed {
  rejectUnknownMembers(context, node, ['children']);
  const word = node.type === 'CONJUNCTION_OR' ? ' OR ' : ' AND ';
  return {
    sql: `(${listOf(node.children)
      .map((each) => condition(each, context))
      .join(word)})`,
    type: 'boolean',
  };
}

function between(node: TreeNode, context: Context): Typed {
  rejectUnknownMembers(context, node, ['input', 'lower', 'upper']);
  const [value, lower, upper] = ['input', 'lower', 'upper'].map((name) => expression(node[name] as TreeNode, context));
  const [from, to] = [comparisonSql('>=', value!, lower!), comparisonSql('<=', value!, upper!)];
  if (!from || !to) return mismatch(context, node, value!, from ? upper! : lower!);
  return { sql: `(${from} AND ${to})`, type: 'boolean' };
}

function caseOf(node: TreeNode, context: Context): Typed {
  rejectUnknownMembers(context, node, ['case_checks', 'else_expr']);
  const checks = node.case_checks as { when_expr: TreeNode; then_expr: TreeNode }[];
  const whens = checks.map((check) => condition(check.when_expr, context));
  const results = [...checks.map((check) => check.then_expr), node.else_expr as TreeNode];
  const { values, type } = unify(
    results.map((each) => expression(each, context)),
    node,
    context,
  );
  const branches = whens.map((when, index) => `WHEN ${when} THEN ${values[index]!.sql}`);
  return { sql: `CASE ${branches.join(' ')} ELSE ${values.at(-1)!.sql} END`, type };
}

function operator(node: TreeNode, context: Context): Typed {
  rejectUnknownMembers(context, node, ['children']);
  const children = listOf(node.children);
  const truthful = (sql: string): Typed => ({ sql, type: 'boolean' });
  switch (node.type) {
    case 'OPERATOR_NOT':
      return truthful(`(NOT ${condition(children[0]!, context)})`);
    case 'OPERATOR_IS_NULL':
      return truthful(`(${expression(children[0]!, context).sql} IS NULL)`);
    case 'OPERATOR_IS_NOT_NULL':
      return truthful(`(${expression(children[0]!, context).sql} IS NOT NULL)`);
    case 'OPERATOR_COALESCE': {
      const { values, type } = unify(
        children.map((each) => expression(each, context)),
        node,
        context,
      );
      return {
        sql: values.length === 1 ? values[0]!.sql : `coalesce(${values.map(({ sql }) => sql).join(', ')})`,
        type,
      };
    }
    case 'COMPARE_IN':
    case 'COMPARE_NOT_IN':
      return oneOf(node, children, context);
    default:
      return context.issues.add(`${node.type} has no counterpart in Athena.`, node);
  }
}

function oneOf(node: TreeNode, children: readonly TreeNode[], context: Context): Typed {
  const [value, ...items] = children.map((each) => expression(each, context));
  const tests = items.map((item) => comparisonSql('=', value!, item) ?? mismatch(context, node, value!, item).sql);
  const any = `(${tests.join(' OR ')})`;
  return { sql: node.type === 'COMPARE_IN' ? any : `(NOT ${any})`, type: 'boolean' };
}

function subquery(node: TreeNode, context: Context): Typed {
  rejectUnknownMembers(context, node, ['subquery_type', 'subquery', 'child', 'comparison_type']);
  const { sql, columns } = context.query((node.subquery as { node: TreeNode }).node, context);
  const type = columns.length === 1 ? columns[0]!.type : 'unknown';
  if (node.subquery_type === 'EXISTS') return { sql: `EXISTS (${sql})`, type: 'boolean' };
  if (node.subquery_type === 'SCALAR') return { sql: `(${sql})`, type };
  if (node.subquery_type !== 'ANY' || node.comparison_type !== 'COMPARE_EQUAL') {
    return context.issues.add(`A comparison with ${node.subquery_type} of a query has no counterpart in Athena.`, node);
  }
  const value = expression(node.child as TreeNode, context);
  if (value.type === 'double' || type === 'double')
    return context.issues.add('IN over doubles treats NaN differently in Athena.', node);
  return alike(value, { sql: '', type })
    ? { sql: `(${value.sql} IN (${sql}))`, type: 'boolean' }
    : mismatch(context, node, value, { sql: '', type });
}
