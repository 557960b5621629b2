import { EngineError } from '../engine/engine-error.ts';
import type { EngineFunction } from '../engine-function/client.ts';
import type { Fault } from '../errors/app-error.ts';
import { authorTexts } from '../recipe/compile.ts';
import type { Op } from '../recipe/ops.ts';
import { checkMysqlCondition } from '../sources/mysql-gate.ts';
import { balancedFault, conditionStatement, expressionStatement } from '../sql/condition.ts';
import { bindTemplates } from '../sql/templates.ts';
import { type Gate, gatesOf, testOf } from './configs/gates.ts';
import type { RouteConfig } from './configs/route.ts';
import type { TransformCodeConfig } from './configs/transform-code.ts';
import { recipeOf, recipePlaces } from './configs/transform-sql.ts';
import type { Dag, Step } from './dag.ts';
import { type ReferenceValues, sampleValues } from './references.ts';
import type { Source, Sources } from './source-faults.ts';
import { inputsOf } from './step-configs.ts';

/** Who judges texts: the engine's function, which carries DuckDB and the sandbox. */
export type DefinitionChecks = Pick<EngineFunction, 'check' | 'checkCode'>;

/** A text of a step, as the statement that DuckDB would be given. */
interface Statement {
  pointer: string;
  sql: string;
  /** How many parameters have a value: those that references have become. */
  values: number;
  tables: string[];
  /** DuckDB's when absent. */
  dialect?: 'postgres' | 'mysql' | 're2' | 'json_path';
}

/** Faults of the SQL and the code in those steps of a definition that have no other faults; `sources` tell the dialects. */
export async function findTextFaults(
  dag: Dag,
  engine: DefinitionChecks,
  isSound: (index: number) => boolean,
  sources: Sources = new Map(),
): Promise<Fault[]> {
  const [sql, code] = await Promise.all([
    findSqlFaults(dag, engine, isSound, sources),
    findCodeFaults(dag, engine, isSound),
  ]);
  return [...sql, ...code];
}

async function findCodeFaults(
  dag: Dag,
  engine: DefinitionChecks,
  isSound: (index: number) => boolean,
): Promise<Fault[]> {
  const texts = dag.steps.flatMap((step, index) => {
    if (step.type !== 'transform_code' || !isSound(index)) return [];
    const { code, language = 'javascript', entrypoint = 'transform' } = step.config as unknown as TransformCodeConfig;
    return [{ pointer: `/dag/steps/${index}/config/code`, text: { code, language, entrypoint } }];
  });
  if (texts.length === 0) return [];
  const answers = await engine.checkCode(texts.map(({ text }) => text));
  return texts.flatMap(({ pointer }, index) => answers[index]!.map((fault) => ({ pointer, ...fault })));
}

/** Whether a text only reads is decided on DuckDB's parse tree. */
function findSqlFaults(
  dag: Dag,
  engine: DefinitionChecks,
  isSound: (index: number) => boolean,
  sources: Sources,
): Promise<Fault[]> {
  return judge(
    dag.steps.flatMap((step, index) => (isSound(index) ? statementsOf(dag, step, `/dag/steps/${index}`, sources) : [])),
    engine,
  );
}

/** What references stand for where there are none. */
const NO_VALUES: ReferenceValues = {
  params: {},
  run: { id: '', logicalDate: null, intervalStart: null, intervalEnd: null },
  forEach: {},
  trigger: {},
};

/** Faults of the conditions and expressions in sound operations. */
export function findExpressionFaults(
  ops: readonly Op[],
  at: string,
  engine: Pick<EngineFunction, 'check'>,
  values: ReferenceValues = NO_VALUES,
): Promise<Fault[]> {
  return judge(
    ops.flatMap((op, index) => refusedAsFaults(`${at}/${index}`, () => expressionsOf(op, `${at}/${index}`, values))),
    engine,
  );
}

/** A text that looks like a reference where none can stand. */
function refusedAsFaults<T>(pointer: string, work: () => T[]): (T | Fault)[] {
  try {
    return work();
  } catch (error) {
    if (!(error instanceof EngineError)) throw error;
    return [{ pointer, code: 'TEMPLATE_INVALID', message: error.message }];
  }
}

async function judge(found: readonly (Statement | Fault)[], engine: Pick<EngineFunction, 'check'>): Promise<Fault[]> {
  const faults = found.flatMap((each) => ('code' in each ? [each] : []));
  const statements = found.flatMap((each) => ('sql' in each ? [each] : []));
  if (statements.length === 0) return faults;
  const answers = await engine.check(statements.map(({ pointer: _, values: __, ...statement }) => statement));
  const judged = statements.flatMap(({ pointer, values, dialect }, index) => {
    const answer = answers[index]!;
    if (answer.ok) return answer.parameters.length > values ? [withoutValue(pointer)] : [];
    const isPattern = dialect === 're2' || dialect === 'json_path';
    return answer.faults.map(({ code, message }) => ({ pointer, code: isPattern ? 'PATTERN' : code, message }));
  });
  return [...faults, ...judged];
}

const withoutValue = (pointer: string): Fault => ({
  pointer,
  code: 'TEMPLATE_INVALID',
  message: 'Parameters of your own have no value here: write {{ references }}.',
});

/** A text with the references of its author as parameters, within the statement that it is a part of. */
function bound(
  text: string,
  values: ReferenceValues,
  statement = (sql: string) => sql,
): Pick<Statement, 'sql' | 'values'> {
  const { sql, params } = bindTemplates(text, values);
  return { sql: statement(sql), values: params.length };
}

function statementsOf(dag: Dag, step: Step, place: string, sources: Sources): (Statement | Fault)[] {
  const values = sampleValues(dag, step.id);
  const gates = gatesOf(step.config).flatMap((gate, index) =>
    textsOfGate(gate, `${place}/config/gates/${index}/config`, values),
  );
  return [...ownStatements(dag, step, place, values), ...sourceStatements(step, place, values, sources), ...gates];
}

/** What an extract says in the words of its source: a query of its own, and a condition. */
function sourceStatements(step: Step, place: string, values: ReferenceValues, sources: Sources): (Statement | Fault)[] {
  const source = step.type === 'extract' ? sources.get(step.config.sourceId as string) : undefined;
  if (!source) return [];
  return [...queryStatements(step, place, values, source), ...filterStatements(step, place, values, source)];
}

function queryStatements({ config }: Step, place: string, values: ReferenceValues, { type }: Source): Statement[] {
  const { query } = config.object as { query?: string };
  // Sources of other types take no queries, which is told already.
  if (query === undefined || (type !== 'postgres' && type !== 'mysql')) return [];
  return [{ pointer: `${place}/config/object/query`, ...bound(query, values), tables: [], dialect: type }];
}

/** The condition of an extract, in the words of its source. */
function filterStatements(
  { config }: Step,
  place: string,
  values: ReferenceValues,
  source: Source,
): (Statement | Fault)[] {
  const { filter } = config as { filter?: string };
  if (filter === undefined) return [];
  const pointer = `${place}/config/filter`;
  if (source.type !== 'mysql') {
    const found = conditionOf(filter, pointer, values);
    return ['sql' in found && source.type === 'postgres' ? { ...found, dialect: 'postgres' } : found];
  }
  try {
    checkMysqlCondition(bindTemplates(filter, values).sql);
    return [];
  } catch (error) {
    if (!(error instanceof EngineError)) throw error;
    return error.faults.map(({ code, message }) => ({ pointer, code, message }));
  }
}

function ownStatements(dag: Dag, step: Step, place: string, values: ReferenceValues): (Statement | Fault)[] {
  if (step.type === 'transform_sql') {
    const ops = recipeOf(step.config);
    if (ops) {
      const places = recipePlaces(step.config, `${place}/config`);
      return ops.flatMap((op, index) => expressionsOf(op, places[index]!, values));
    }
    const loads = new Set(dag.steps.filter(({ type }) => type === 'load').map(({ id }) => id));
    const text = step.config.sql as string;
    return [{ pointer: `${place}/config/sql`, ...bound(text, values), tables: Object.keys(inputsOf(step, loads)) }];
  }
  if (step.type !== 'route') return [];
  return (step.config as unknown as RouteConfig).routes.map(({ condition }, index) =>
    conditionOf(condition, `${place}/config/routes/${index}/condition`, values),
  );
}

function conditionOf(condition: string, pointer: string, values: ReferenceValues): Statement | Fault {
  const fault = balancedFault(condition);
  if (fault) return { pointer, code: fault.code, message: fault.message };
  return { pointer, ...bound(condition, values, conditionStatement), tables: ['input'] };
}

function textsOfGate(gate: Gate, at: string, values: ReferenceValues): (Statement | Fault)[] {
  const test = testOf(gate);
  if (test.type === 'custom_sql') {
    return [{ pointer: `${at}/sql`, ...bound(test.config.sql, values), tables: ['input'] }];
  }
  const pattern = test.type === 'regex' ? patternOf(test.config.pattern, `${at}/pattern`) : [];
  return test.config.where === undefined
    ? pattern
    : [...pattern, conditionOf(test.config.where, `${at}/where`, values)];
}

/** A pattern of RE2, which alone knows what it takes. */
const patternOf = (pattern: string, pointer: string): Statement[] => [
  { pointer, sql: pattern, values: 0, tables: [], dialect: 're2' },
];

/** Expressions of an operation read the row they stand for and no table. */
function expressionsOf(op: Op, place: string, values: ReferenceValues): (Statement | Fault)[] {
  const texts = authorTexts(op).map(({ member, text }): Statement | Fault => {
    const pointer = `${place}/${member}`;
    const fault = balancedFault(text);
    if (fault) return { pointer, code: fault.code, message: fault.message };
    return { pointer, ...bound(text, values, expressionStatement), tables: [] };
  });
  return [...texts, ...patternsOf(op, place)];
}

/** The patterns of an operation and its paths of JSON. */
function patternsOf(op: Op, place: string): Statement[] {
  if (op.op === 'extract') return patternOf(op.pattern, `${place}/pattern`);
  if (op.op === 'replace' && op.regex) return patternOf(op.from, `${place}/from`);
  if (op.op !== 'parse_json') return [];
  return Object.entries(op.paths).map(([into, path]) => {
    return { pointer: `${place}/paths/${into}`, sql: path, values: 0, tables: [], dialect: 'json_path' };
  });
}
