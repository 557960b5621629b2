import type { Static } from 'typebox';
import * as Type from 'typebox';
import { configIssues } from '../../../../data/quality/config-issues.ts';
import { GATE_ACTIONS } from '../../../../data/quality/gate-result.ts';
import {
  checksType,
  columnsOf,
  type QualityTest,
  SEVERITIES,
  TEST_CONFIGS,
  TEST_TYPES,
  type TestType,
  WITHOUT_COLUMN,
} from '../../../../data/quality/tests.ts';
import type { RecipeColumn } from '../../../../data/recipe/table.ts';
import type { Issue } from '../../../../platform/errors/app-error.ts';
import { StrictObject, StringEnum } from '../../../../platform/http/schemas.ts';
import { didYouMean } from '../../../../platform/text/nearest.ts';
import { hasShape, shapeIssues } from '../../../../platform/validation/shape-issues.ts';
export type GateAction = (typeof GATE_ACTIONS)[number];

/** Every gate adds items to the transaction that ends its step. */
const MAX_GATES = 20;

export const Gate = StrictObject({
  id: Type.String({ pattern: '^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$' }),
  type: StringEnum(TEST_TYPES),
  column: Type.Optional(Type.String({ minLength: 1, maxLength: 255 })),
  config: Type.Optional(Type.Object({})),
  scope: Type.Optional(
    StringEnum(['batch', 'table'], {
      description: 'Whether to test the rows of this run (the default) or the whole dataset after the load.',
    }),
  ),
  severity: Type.Optional(StringEnum(SEVERITIES)),
  action: StringEnum(GATE_ACTIONS, {
    description:
      'What to do with failing rows. `quarantine` is for loads into datasets; it stores them in a separate dataset.',
  }),
  maxFailedRows: Type.Optional(Type.Integer({ minimum: 0, description: 'How many rows may fail.' })),
  maxFailedPercent: Type.Optional(
    Type.Number({ minimum: 0, maximum: 100, description: 'Which percentage of the rows may fail.' }),
  ),
});
export type Gate = Static<typeof Gate>;

export const GateList = Type.Array(Type.Object({}), { minItems: 1, maxItems: MAX_GATES });

/** The test that a gate runs. */
export function testOf({ type, column, config }: Gate): QualityTest {
  return { type, column, config: config ?? {} } as QualityTest;
}

export function gatesOf(config: object): readonly Gate[] {
  return (config as { gates?: Gate[] }).gates ?? [];
}

/** The valid gates of a step, each with its pointer. */
export function validGates(config: object, at: string): { gate: Gate; place: string }[] {
  const { gates } = config as { gates?: unknown };
  if (!Array.isArray(gates)) return [];
  return gates.flatMap((gate, index) => {
    const place = `${at}/gates/${index}`;
    return isValid(gate) ? [{ gate, place }] : [];
  });
}

const isValid = (gate: unknown): gate is Gate =>
  hasShape(Gate, gate) && hasShape(TEST_CONFIGS[gate.type], gate.config ?? {});

/** Every issue of gates outside loads into datasets: they have no quarantine dataset, and no table to check. */
export function outputGateIssues(gates: unknown, at: string): Issue[] {
  const issues = gateIssues(gates, at);
  if (!hasShape(GateList, gates)) return issues;
  const elsewhere = (gates as Partial<Gate>[]).flatMap(({ action, scope }, index) => [
    ...(action === 'quarantine' ? [onlyForDatasets(`${at}/${index}/action`, 'quarantine')] : []),
    ...(scope === 'table' ? [onlyForDatasets(`${at}/${index}/scope`, 'scope table')] : []),
  ]);
  return [...issues, ...elsewhere];
}

const onlyForDatasets = (pointer: string, what: string): Issue =>
  issue(pointer, 'SETTING_NOT_AVAILABLE', `${what} is only available for loads into datasets`);

/** Every issue of the gates of a load into a dataset. */
export function gateIssues(gates: unknown, at: string): Issue[] {
  if (!hasShape(GateList, gates)) return shapeIssues(GateList, gates, at);
  const ids = gates.map((gate) => (gate as Partial<Gate>).id);
  return gates.flatMap((gate, index) => [
    ...oneGateIssues(gate, `${at}/${index}`),
    ...(ids[index] !== undefined && ids.indexOf(ids[index]) < index
      ? [{ pointer: `${at}/${index}/id`, code: 'DUPLICATE', message: `The gate id "${ids[index]}" is used twice.` }]
      : []),
  ]);
}

function oneGateIssues(value: object, at: string): Issue[] {
  const issues = shapeIssues(Gate, value, at);
  const gate = value as Gate;
  const { type, config = {} } = gate;
  if (!TEST_TYPES.includes(type)) return issues;
  issues.push(...shapeIssues(TEST_CONFIGS[type], config, `${at}/config`));
  if (issues.length > 0) return issues;
  if ('query' in config) {
    return [issue(`${at}/config/query`, 'NOT_ALLOWED', 'A gate takes no query; list the values, or use foreign_key.')];
  }
  return [...columnIssues(gate, at), ...configIssues(testOf(gate), `${at}/config`), ...actionIssues(gate, at)];
}

function columnIssues(gate: Gate, at: string): Issue[] {
  const { type, column } = gate;
  if (WITHOUT_COLUMN.has(type)) {
    return column === undefined
      ? []
      : [issue(`${at}/column`, 'NOT_ALLOWED', `A gate of type ${type} takes no column; remove it.`)];
  }
  if (columnsOf(testOf(gate)).length === 0) return [issue(`${at}/column`, 'REQUIRED', 'is required')];
  const both = type === 'unique' && column !== undefined && (gate.config as { columns?: unknown })?.columns;
  return both ? [issue(`${at}/config/columns`, 'NOT_ALLOWED', 'cannot be combined with column; remove one')] : [];
}

const WITHOUT_ROWS: ReadonlySet<TestType> = new Set(['row_count', 'custom_sql']);

/** Only tests that identify the failing rows of the batch can take rows out. */
function actionIssues({ type, config, action, scope, maxFailedRows, maxFailedPercent }: Gate, at: string): Issue[] {
  const issues: Issue[] = [];
  const takesRows = action === 'quarantine' || action === 'drop';
  if (takesRows && WITHOUT_ROWS.has(type)) {
    const message = `A gate of type ${type} does not identify failing rows; use the action fail or warn.`;
    issues.push(issue(`${at}/action`, 'NOT_ALLOWED', message));
  }
  if (takesRows && scope === 'table') {
    const message = `The action ${action} removes rows of the batch; with scope table use fail or warn.`;
    issues.push(issue(`${at}/action`, 'NOT_ALLOWED', message));
  }
  if (type === 'row_count' && scope !== 'table' && (config as { comparePrevious?: unknown })?.comparePrevious) {
    issues.push(issue(`${at}/config/comparePrevious`, 'NOT_ALLOWED', 'is only allowed with scope table'));
  }
  if (type === 'row_count' && (maxFailedRows !== undefined || maxFailedPercent !== undefined)) {
    const name = maxFailedRows === undefined ? 'maxFailedPercent' : 'maxFailedRows';
    issues.push(issue(`${at}/${name}`, 'NOT_ALLOWED', 'is not allowed for row_count'));
  }
  return issues;
}

const issue = (pointer: string, code: string, message: string): Issue => ({ pointer, code, message });

/** Reports columns that gates of the batch use and its rows lack, or whose type the gate cannot check. */
export function gateColumnIssues(gates: unknown, columns: readonly RecipeColumn[], at: string): Issue[] {
  if (!Array.isArray(gates)) return [];
  const known = new Map(columns.map((column) => [column.name, column]));
  return (gates as Gate[]).flatMap((gate, index) => {
    if (gate.scope === 'table' || !isValid(gate)) return [];
    return columnsOf(testOf(gate)).flatMap((name) => {
      const column = known.get(name);
      if (!column) {
        const message = `Unknown column "${name}"${didYouMean(name, known.keys())}`;
        return [issue(`${at}/${index}`, 'COLUMN_UNKNOWN', message)];
      }
      if (column.type === undefined || checksType(gate.type, column.type)) return [];
      const message = `The column "${name}" is ${column.type}, which ${gate.type} cannot check.`;
      return [issue(`${at}/${index}/column`, 'COLUMN_TYPE', message)];
    });
  });
}
