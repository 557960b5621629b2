import { authorTexts } from '../../../data/recipe/compile.ts';
import type { Op } from '../../../data/recipe/ops.ts';
import type { CheckCodeAnswer, CheckCodeRequest } from '../../../data/sandbox/check-code.ts';
import { balancedIssue, conditionStatement, expressionStatement } from '../../../data/sql/condition.ts';
import type { CheckAnswer, CheckRequest } from '../../../data/sql/statement-check.ts';
import { bindTemplates } from '../../../data/sql/templates.ts';
import type { Issue } from '../../../platform/errors/app-error.ts';
import { DataError, type SqlIssue } from '../../../platform/errors/data-error.ts';
import { datasetReadBy } from './configs/extract.ts';
import { type Gate, testOf, validGates } from './configs/gates.ts';
import type { TransformCodeConfig } from './configs/transform-code.ts';
import { validOps } from './configs/transform-sql.ts';
import type { Dag, Step } from './dag.ts';
import { materializeOf, neverMessage } from './fusion.ts';
import { inputHint } from './input-hints.ts';
import { type ReferenceValues, sampleValues } from './references.ts';
import type { ExtractColumns } from './source-columns.ts';
import type { Source, Sources } from './source-issues.ts';
import { inputsOf } from './step-configs.ts';

/**
 * Checks the SQL and code of a definition. The engine function implements it, since it carries DuckDB and the sandbox.
 */
export interface DefinitionChecks {
  check(statements: CheckRequest['statements']): Promise<CheckAnswer>;
  checkCode(texts: CheckCodeRequest['texts']): Promise<CheckCodeAnswer>;
  /** Issues of the columns that texts and extracts name; `broken` are the ids of steps with other issues. */
  columnIssues(request: { dag: Dag; broken: string[]; extracts: ExtractColumns }): Promise<Issue[]>;
}

/** A text of a step as the statement that DuckDB receives. */
interface Statement {
  pointer: string;
  sql: string;
  /** How many parameters are bound: one for each reference. */
  values: number;
  tables: string[];
  /** DuckDB's if absent. */
  dialect?: 'postgres' | 'mysql' | 'mysql_condition' | 're2' | 'json_path';
  perRow?: 'value' | 'condition';
  /** The setting of a step that must be able to run the text again for the same rows. */
  repeatedFor?: string;
  /** How to mend an issue of the text, if that is known. */
  hint?: (issue: SqlIssue) => string | undefined;
}

/** Whether the value at a pointer, its ancestors and its descendants are free of issues. */
type IsValid = (pointer: string) => boolean;

/**
 * Issues of the SQL and the code of a definition. Texts with other issues are left out; `sources` decide the dialects.
 */
export async function findTextIssues(
  dag: Dag,
  engine: DefinitionChecks,
  isValid: IsValid,
  sources: Sources = new Map(),
): Promise<Issue[]> {
  const [sql, code] = await Promise.all([
    findSqlIssues(dag, engine, isValid, sources),
    findCodeIssues(dag, engine, isValid),
  ]);
  return [...sql, ...code];
}

async function findCodeIssues(dag: Dag, engine: DefinitionChecks, isValid: IsValid): Promise<Issue[]> {
  const texts = dag.steps.flatMap((step, index) => {
    const members = ['code', 'language', 'entrypoint'].map((name) => `/dag/steps/${index}/config/${name}`);
    if (step.type !== 'transform_code' || !members.every(isValid)) return [];
    const { code, language = 'javascript', entrypoint = 'transform' } = step.config as unknown as TransformCodeConfig;
    return [{ pointer: `/dag/steps/${index}/config/code`, text: { code, language, entrypoint } }];
  });
  if (texts.length === 0) return [];
  const answers = await engine.checkCode(texts.map(({ text }) => text));
  return texts.flatMap(({ pointer }, index) => answers[index]!.map((issue) => ({ pointer, ...issue })));
}

/** DuckDB's parse tree decides whether a statement only reads. */
function findSqlIssues(dag: Dag, engine: DefinitionChecks, isValid: IsValid, sources: Sources): Promise<Issue[]> {
  const texts = dag.steps.flatMap((step, index) => textsOf(dag, step, `/dag/steps/${index}`, sources));
  const checked = texts.filter(({ pointer, needs = [] }) => [pointer, ...needs].every(isValid));
  return check(
    checked.flatMap((text) => text.checked()),
    engine,
  );
}

/** For texts that cannot use references. */
const NO_VALUES: ReferenceValues = {
  params: {},
  run: { id: '', logicalDate: null, intervalStart: null, intervalEnd: null },
  forEach: {},
  trigger: {},
};

/** Issues of the conditions and expressions in valid operations. */
export function findExpressionIssues(
  ops: readonly Op[],
  at: string,
  engine: Pick<DefinitionChecks, 'check'>,
  values: ReferenceValues = NO_VALUES,
): Promise<Issue[]> {
  return check(
    ops
      .flatMap((op, index) => textsOfOp(op, `${at}/${index}`, values))
      .flatMap(({ pointer, checked }) => templateIssues(pointer, checked)),
    engine,
  );
}

/** Reports a template that cannot be bound as an issue. */
function templateIssues<T>(pointer: string, work: () => T[]): (T | Issue)[] {
  try {
    return work();
  } catch (error) {
    if (!(error instanceof DataError)) throw error;
    return [{ pointer, code: 'TEMPLATE_INVALID', message: error.message }];
  }
}

async function check(found: readonly (Statement | Issue)[], engine: Pick<DefinitionChecks, 'check'>): Promise<Issue[]> {
  const issues = found.flatMap((each) => ('code' in each ? [each] : []));
  const statements = found.flatMap((each) => ('sql' in each ? [each] : []));
  if (statements.length === 0) return issues;
  const answers = await engine.check(
    statements.map(({ pointer: _, values: __, repeatedFor: ___, hint: ____, ...statement }) => statement),
  );
  const checked = statements.flatMap(({ pointer, values, dialect, repeatedFor, hint }, index) => {
    const answer = answers[index]!;
    if (answer.ok) {
      return [
        ...(answer.parameters.length > values ? [withoutValue(pointer)] : []),
        ...(repeatedFor && answer.unrepeatable ? [notRepeatable(repeatedFor, answer.unrepeatable)] : []),
      ];
    }
    const isPattern = dialect === 're2' || dialect === 'json_path';
    return answer.issues.map((issue) => {
      const message = [issue.message, hint?.(issue)].filter(Boolean).join(' ');
      return { pointer, code: isPattern ? 'PATTERN' : issue.code, message };
    });
  });
  return [...issues, ...checked];
}

const withoutValue = (pointer: string): Issue => ({
  pointer,
  code: 'TEMPLATE_INVALID',
  message: 'SQL parameters such as $1 have no value here; use a {{ reference }} instead.',
});

const notRepeatable = (pointer: string, part: string): Issue => ({
  pointer,
  code: 'NOT_ALLOWED',
  message: neverMessage(`${part} gives a different result when they are computed again`),
});

/** A text with its references bound as parameters, inside the statement that it is part of. */
function bound(
  text: string,
  values: ReferenceValues,
  statement = (sql: string) => sql,
): Pick<Statement, 'sql' | 'values'> {
  const { sql, params } = bindTemplates(text, values);
  return { sql: statement(sql), values: params.length };
}

/** A text for the engine to check, skipped when it has other issues. */
interface Text {
  pointer: string;
  /** Pointers that must be valid too, because they decide which tables exist. */
  needs?: string[];
  checked(): (Statement | Issue)[];
}

function textsOf(dag: Dag, step: Step, place: string, sources: Sources): Text[] {
  const values = sampleValues(dag, step.id);
  const gates = validGates(step.config, `${place}/config`).flatMap((each) =>
    textsOfGate(each.gate, `${each.place}/config`, values),
  );
  return [...ownTexts(dag, step, place, values), ...sourceTexts(step, place, values, sources), ...gates];
}

/** The texts of an extract in the dialect of its source: the query and the filter. */
function sourceTexts(step: Step, place: string, values: ReferenceValues, sources: Sources): Text[] {
  if (datasetReadBy(step) !== undefined) return filterTexts(step, place, values, DUCKDB);
  const source = step.type === 'extract' ? sources.get(step.config.sourceId as string) : undefined;
  if (!source) return [];
  return [...queryTexts(step, place, values, source), ...filterTexts(step, place, values, source)];
}

/** Datasets and files are read in DuckDB's dialect. */
const DUCKDB: Pick<Source, 'type'> = { type: 'file' };

function queryTexts({ config }: Step, place: string, values: ReferenceValues, { type }: Pick<Source, 'type'>): Text[] {
  const { query } = (config.object ?? {}) as { query?: unknown };
  // A query on a source of another type is an issue already.
  if (typeof query !== 'string' || (type !== 'postgres' && type !== 'mysql')) return [];
  const pointer = `${place}/config/object/query`;
  return [{ pointer, checked: () => [{ pointer, ...bound(query, values), tables: [], dialect: type }] }];
}

/** The filter of an extract, in the dialect of its source. */
function filterTexts({ config }: Step, place: string, values: ReferenceValues, { type }: Pick<Source, 'type'>): Text[] {
  const { filter } = config;
  if (typeof filter !== 'string') return [];
  const pointer = `${place}/config/filter`;
  const checked = (): (Statement | Issue)[] => {
    if (type === 'mysql') return [{ pointer, ...bound(filter, values), tables: [], dialect: 'mysql_condition' }];
    const found = conditionOf(filter, pointer, values);
    return ['sql' in found && type === 'postgres' ? { ...found, dialect: type } : found];
  };
  return [{ pointer, checked }];
}

function ownTexts(dag: Dag, step: Step, place: string, values: ReferenceValues): Text[] {
  const at = `${place}/config`;
  if (step.type === 'transform_sql') {
    const never = materializeOf(step) === 'never' ? { repeatedFor: `${at}/materialize` } : {};
    const ops = validOps(step.config, at).flatMap((each) => textsOfOp(each.op, each.place, values, never));
    const { sql } = step.config;
    if (typeof sql !== 'string') return ops;
    const loads = new Set(dag.steps.filter(({ type }) => type === 'load').map(({ id }) => id));
    const pointer = `${at}/sql`;
    const inputs = inputsOf(step, loads);
    const hint = (issue: SqlIssue) => inputHint(dag, inputs, sql, issue);
    const checked = () => [{ pointer, ...bound(sql, values), tables: Object.keys(inputs), hint, ...never }];
    return [...ops, { pointer, needs: [`${at}/inputs`, `${place}/dependsOn`], checked }];
  }
  if (step.type !== 'route' || !Array.isArray(step.config.routes)) return [];
  return step.config.routes.flatMap((route, index) => {
    const condition = route?.condition;
    const pointer = `${at}/routes/${index}/condition`;
    return typeof condition === 'string' ? [{ pointer, checked: () => [conditionOf(condition, pointer, values)] }] : [];
  });
}

function conditionOf(condition: string, pointer: string, values: ReferenceValues): Statement | Issue {
  const issue = balancedIssue(condition);
  if (issue) return { pointer, code: issue.code, message: issue.message };
  return { pointer, ...bound(condition, values, conditionStatement), tables: ['input'], perRow: 'value' };
}

function textsOfGate(gate: Gate, at: string, values: ReferenceValues): Text[] {
  const test = testOf(gate);
  if (test.type === 'custom_sql') {
    const pointer = `${at}/sql`;
    const { sql } = test.config;
    return [{ pointer, checked: () => [{ pointer, ...bound(sql, values), tables: ['input'] }] }];
  }
  const patterns = test.type === 'regex' ? [patternOf(test.config.pattern, `${at}/pattern`)] : [];
  const { where } = test.config;
  if (where === undefined) return patterns;
  const pointer = `${at}/where`;
  return [...patterns, { pointer, checked: () => [conditionOf(where, pointer, values)] }];
}

/** Only RE2 itself can decide whether a pattern is valid. */
const patternOf = (pattern: string, pointer: string): Text => ({
  pointer,
  checked: () => [{ pointer, sql: pattern, values: 0, tables: [], dialect: 're2' }],
});

/** Expressions of an operation read one row and no table. */
function textsOfOp(op: Op, place: string, values: ReferenceValues, never: Pick<Statement, 'repeatedFor'> = {}): Text[] {
  const texts = authorTexts(op).map(({ member, text }): Text => {
    const pointer = `${place}/${member}`;
    const checked = (): (Statement | Issue)[] => {
      const issue = balancedIssue(text);
      if (issue) return [{ pointer, code: issue.code, message: issue.message }];
      const perRow = op.op === 'derive' ? 'value' : 'condition';
      return [{ pointer, ...bound(text, values, expressionStatement), tables: [], perRow, ...never }];
    };
    return { pointer, checked };
  });
  return [...texts, ...patternsOf(op, place)];
}

/** The patterns and JSON paths of an operation. */
function patternsOf(op: Op, place: string): Text[] {
  if (op.op === 'extract') return [patternOf(op.pattern, `${place}/pattern`)];
  if (op.op === 'replace' && op.regex) return [patternOf(op.from, `${place}/from`)];
  if (op.op !== 'parse_json') return [];
  return Object.entries(op.paths).map(([into, path]) => {
    const pointer = `${place}/paths/${into}`;
    return { pointer, checked: () => [{ pointer, sql: path, values: 0, tables: [], dialect: 'json_path' }] };
  });
}
