import { isMembers, parseTree } from './postgres-check.ts';

/** Columns of every table that no catalogue lists. */
const SYSTEM_COLUMNS = new Set(['tableoid', 'xmin', 'cmin', 'xmax', 'cmax', 'ctid']);

/**
 * The columns that a condition over the table `input` names without a qualifier, as Postgres spells them: unquoted
 * names are lower-case. Names within subqueries, which may be those of other tables, are left out. Throws `SQL_PARSE`.
 */
export async function postgresConditionColumns(condition: string): Promise<string[]> {
  const names = new Set<string>();
  visit(await parseTree(`SELECT 1 FROM input WHERE (${condition}\n)`), names);
  return [...names].filter((name) => name !== 'input' && !SYSTEM_COLUMNS.has(name));
}

function visit(value: unknown, names: Set<string>): void {
  if (Array.isArray(value)) for (const item of value) visit(item, names);
  if (!isMembers(value)) return;
  for (const [kind, member] of Object.entries(value)) {
    if (kind === 'ColumnRef' && isMembers(member)) addName(member.fields, names);
    else if (kind !== 'subselect') visit(member, names);
  }
}

function addName(fields: unknown, names: Set<string>): void {
  const [only, ...more] = Array.isArray(fields) ? (fields as { String?: { sval?: string } }[]) : [];
  if (only?.String?.sval !== undefined && more.length === 0) names.add(only.String.sval);
}
