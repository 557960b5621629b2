import { statementColumns } from '../../../data/lineage/column-lineage.ts';
import { authorTexts } from '../../../data/recipe/compile.ts';
import type { RecipeColumn } from '../../../data/recipe/table.ts';
import { conditionStatement } from '../../../data/sql/condition.ts';
import type { TreeNode } from '../../../data/sql/parse-tree.ts';
import { bindTemplates } from '../../../data/sql/templates.ts';
import type { Issue } from '../../../platform/errors/app-error.ts';
import { DataError } from '../../../platform/errors/data-error.ts';
import { didYouMean } from '../../../platform/text/nearest.ts';
import { testOf, validGates } from './configs/gates.ts';
import { recipeOf, validOps } from './configs/transform-sql.ts';
import { type Dag, dependenciesOf, type Step } from './dag.ts';
import { StepColumns } from './recipe-issues.ts';
import { type ReferenceValues, sampleValues } from './references.ts';
import { type ExtractColumns, isKnownColumn, namedColumns, type SourceColumns } from './source-columns.ts';

export interface ColumnParsers {
  /** The parse tree of a statement that reads only the tables; undefined for any other, which is an issue already. */
  select(sql: string, tables: readonly string[]): Promise<TreeNode | undefined>;
  /** The columns that a condition of Postgres surely names; undefined for one that it rejects. */
  postgresCondition(condition: string): Promise<string[] | undefined>;
}

type Columns = RecipeColumn[] | undefined;
type KnownSources = ReadonlyMap<string, SourceColumns>;

/** A text whose names are checked. */
interface Text {
  pointer: string;
  sql: string;
  tables: [name: string, columns: Columns][];
}

/**
 * Reports columns that SQL, conditions, expressions, gates and loads name and that do not exist, wherever those of the
 * inputs are known: from the statements and recipes of earlier steps, the `columns` of extracts, the columns of what
 * they read (`extracts`) and the `outputSchema` of code. `broken` are the ids of steps with other issues, whose columns
 * are unknown. What is not surely wrong is not reported.
 */
export async function findColumnIssues(
  dag: Dag,
  { broken, extracts = [] }: { broken: readonly string[]; extracts?: ExtractColumns },
  parsers: ColumnParsers,
): Promise<Issue[]> {
  const sources = new Map(extracts);
  const known = new Map<string, Columns>(dag.steps.flatMap((step) => readWhole(step, sources)));
  for (const id of broken) known.set(id, undefined);
  const steps = new StepColumns(dag.steps, known);
  const issues: Issue[] = [];
  const check = async ({ pointer, sql, tables }: Text): Promise<Columns> => {
    const root = await parsers.select(
      sql,
      tables.map(([name]) => name),
    );
    if (!root) return undefined;
    const found = statementColumns(
      root,
      tables.map(([name, columns]) => ({ name, columns })),
    );
    for (const { name, candidates } of found.unknown) {
      const message = `Unknown column "${name}"${didYouMean(name, candidates)}`;
      issues.push({ pointer, code: 'COLUMN_UNKNOWN', message });
    }
    return found.columns;
  };
  for (const { step, index } of inOrder(dag.steps)) {
    if (broken.includes(step.id)) continue;
    const at = `/dag/steps/${index}/config`;
    const values = sampleValues(dag, step.id);
    const source = sources.get(step.id);
    if (source) issues.push(...(await extractIssues(step, { at, source, values }, parsers, check)));
    if (typeof step.config.sql === 'string' && step.type === 'transform_sql') {
      const sql = bound(step.config.sql, values);
      const columns =
        sql === undefined ? undefined : await check({ pointer: `${at}/sql`, sql, tables: steps.inputsOf(step) });
      known.set(step.id, columns);
    }
    for (const text of textsOf(step, at, values, steps)) await check(text);
  }
  const all = [...issues, ...steps.issues()];
  const distinct = [...new Map(all.map((issue) => [`${issue.pointer} ${issue.message}`, issue])).values()];
  return distinct.map((issue) => withSyncTime(issue, dag, sources));
}

/** The columns of an extract that reads all of its source. */
function readWhole({ id, config }: Step, sources: KnownSources): [id: string, columns: Columns][] {
  const source = sources.get(id);
  return source && config.columns === undefined ? [[id, source.names.map((name) => ({ name }))]] : [];
}

/** Issues of the settings and the filter of an extract. The filter may name columns that the extract leaves out. */
async function extractIssues(
  step: Step,
  { at, source, values }: { at: string; source: SourceColumns; values: ReferenceValues },
  parsers: ColumnParsers,
  check: (text: Text) => Promise<Columns>,
): Promise<Issue[]> {
  const unknown = namedColumns(step, at).filter(({ name }) => !isKnownColumn(source, name));
  const pointer = `${at}/filter`;
  const { filter } = step.config;
  const sql = typeof filter === 'string' ? bound(filter, values) : undefined;
  if (sql !== undefined && source.dialect === 'duckdb') {
    await check({ pointer, sql: conditionStatement(sql), tables: [['input', source.names.map((name) => ({ name }))]] });
  }
  if (sql !== undefined && source.dialect === 'postgres') {
    const names = (await parsers.postgresCondition(sql)) ?? [];
    unknown.push(...names.filter((name) => !source.names.includes(name)).map((name) => ({ name, pointer })));
  }
  return unknown.map(({ name, pointer }) => ({
    pointer,
    code: 'COLUMN_UNKNOWN',
    message: `Unknown column "${name}"${didYouMean(name, source.names)}`,
  }));
}

/** A table may have changed since the sync that has found its columns, which the issue then says. */
function withSyncTime(issue: Issue, dag: Dag, sources: KnownSources): Issue {
  const index = /^\/dag\/steps\/(\d+)\//.exec(issue.pointer)?.[1];
  if (issue.code !== 'COLUMN_UNKNOWN' || index === undefined) return issue;
  const times = [...withUpstream(dag.steps, Number(index))].flatMap(({ id }) => sources.get(id)?.syncedAt ?? []);
  const [oldest] = times.sort();
  if (oldest === undefined) return issue;
  const message = `${issue.message} Tables are known as of ${oldest}; sync the data source if they have changed since.`;
  return { ...issue, message };
}

/** A step and all steps before it. */
function withUpstream(steps: readonly Step[], index: number): Set<Step> {
  const found = new Set<Step>();
  const visit = (step: Step | undefined): void => {
    if (!step || found.has(step)) return;
    found.add(step);
    for (const id of dependenciesOf(step)) visit(steps.find((other) => other.id === id));
  };
  visit(steps[index]);
  return found;
}

/** The conditions and expressions of a step, over the columns that they read. */
function textsOf(step: Step, at: string, values: ReferenceValues, steps: StepColumns): Text[] {
  const over = (columns: Columns, pointer: string, text: unknown, statement = conditionStatement): Text[] => {
    const sql = typeof text === 'string' && columns ? bound(text, values) : undefined;
    return sql === undefined ? [] : [{ pointer, sql: statement(sql), tables: [['input', columns]] }];
  };
  const gates = validGates(step.config, at).flatMap(({ gate, place }) => {
    // The columns of the whole dataset are not those of the batch.
    if (gate.scope === 'table') return [];
    const { type, config } = testOf(gate);
    const columns = steps.tested(step);
    return type === 'custom_sql'
      ? over(columns, `${place}/config/sql`, config.sql, (sql) => sql)
      : over(columns, `${place}/config/where`, config.where);
  });
  if (step.type === 'route' && Array.isArray(step.config.routes)) {
    const [[, columns] = []] = steps.inputsOf(step);
    const routes = step.config.routes as ({ condition?: unknown } | null)[];
    return [
      ...gates,
      ...routes.flatMap((route, index) => over(columns, `${at}/routes/${index}/condition`, route?.condition)),
    ];
  }
  const compiled = step.type === 'transform_sql' && recipeOf(step.config) ? steps.compile(step, at) : undefined;
  if (!compiled) return gates;
  const expressions = validOps(step.config, at).flatMap(({ op, place }, index) =>
    authorTexts(op).flatMap(({ member, text }) => over(compiled.tables[index]?.columns, `${place}/${member}`, text)),
  );
  return [...expressions, ...gates];
}

/** Undefined for a text whose references cannot be bound, which is an issue already. */
function bound(text: string, values: ReferenceValues): string | undefined {
  try {
    return bindTemplates(text, values).sql;
  } catch (error) {
    if (error instanceof DataError) return undefined;
    throw error;
  }
}

/** Every step after those that it depends on; a cycle, which is an issue already, starts anywhere. */
function inOrder(steps: readonly Step[]): { step: Step; index: number }[] {
  const begun = new Set<number>();
  const ordered: { step: Step; index: number }[] = [];
  const visit = (index: number): void => {
    const step = steps[index];
    if (!step || begun.has(index)) return;
    begun.add(index);
    for (const id of dependenciesOf(step)) visit(steps.findIndex((other) => other.id === id));
    ordered.push({ step, index });
  };
  for (const index of steps.keys()) visit(index);
  return ordered;
}
