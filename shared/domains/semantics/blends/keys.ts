import { type JoinKey, SIDES, type Side } from '../../../data/blends/join-sql.ts';
import { comparisonOf, type KeyKind, type KeyProblem } from '../../../data/blends/key-types.ts';
import { AppError, type Issue } from '../../../platform/errors/app-error.ts';
import { columnIn, DATASETS, isMissing, type ModelDefinition, type ModelField } from '../models/index.ts';
import type { BlendRecord, StoredKey } from './records.ts';
import { type Definitions, fieldOfKey, sideOf } from './sides.ts';

/** Why a key does not compare any more, or never did. */
export interface KeyIssue extends Issue {
  problem?: KeyProblem;
  kinds?: Record<Side, string>;
}

/** The keys as they are compared, with the columns `names` for the fields of each side, or what is wrong with them. */
export function comparedKeys(
  blend: Pick<BlendRecord, 'keys'> & BlendRecord,
  definitions: Definitions,
): { keys: Omit<JoinKey, Side>[]; kinds: Record<Side, KeyKind>[] } | { issues: KeyIssue[] } {
  const issues = SIDES.flatMap((side) => tableIssues(blend, definitions[side], side));
  if (issues.length > 0) return { issues };
  const found = blend.keys.map((key, index) => comparedKey(key, definitions as Known, index));
  const wrong = found.flatMap((each) => ('issues' in each ? each.issues : []));
  if (wrong.length > 0) return { issues: wrong };
  const compared = found as Compared[];
  return { keys: compared.map(({ key }) => key), kinds: compared.map(({ kinds }) => kinds) };
}

type Known = Record<Side, ModelDefinition>;
type Compared = { key: Omit<JoinKey, Side>; kinds: Record<Side, KeyKind> };

function tableIssues(blend: BlendRecord, definition: ModelDefinition | undefined, side: Side): KeyIssue[] {
  const { tableId } = sideOf(blend, side);
  const table = definition?.tables.get(tableId);
  const pointer = `/${side}TableId`;
  if (!table)
    return [{ pointer, code: 'UNKNOWN_TABLE', message: 'is no longer a table of a model; choose another table' }];
  if (!table.missing) return [];
  return [{ pointer, code: 'MISSING_TABLE', message: `is the table ${table.alias}, which is no longer in its source` }];
}

function comparedKey(stored: StoredKey, definitions: Known, index: number): Compared | { issues: KeyIssue[] } {
  const issues = SIDES.flatMap((side): KeyIssue[] => {
    const field = definitions[side].fields.get(fieldOfKey(stored, side));
    const pointer = `/keys/${index}/${side}`;
    if (!field)
      return [{ pointer, code: 'UNKNOWN_FIELD', message: 'is no longer a field of the table; choose another field' }];
    if (field.fieldType === 'calculated')
      return [
        { pointer, code: 'NO_COLUMN', message: `is the calculated field ${field.name}; choose a field with a column` },
      ];
    if (!isMissing(definitions[side], field)) return [];
    const message = `is the field ${field.name}, whose column "${field.sourceColumn}" is no longer in the source`;
    return [{ pointer, code: 'MISSING_COLUMN', message }];
  });
  if (issues.length > 0) return { issues };
  const fields = { left: fieldIn(stored, definitions, 'left'), right: fieldIn(stored, definitions, 'right') };
  const [left, right] = SIDES.map((side) => kindOf(definitions[side], fields[side]));
  const { as, caseInsensitive, trim, matchNulls, timezone } = stored;
  const options = { as, caseInsensitive, trim, matchNulls, timezone: timezone ?? undefined };
  const comparison = comparisonOf(left, right, options);
  if (typeof comparison === 'string')
    return { key: { ...options, as: comparison }, kinds: { left: left!, right: right! } };
  const kinds = { left: left ?? fields.left.dataType, right: right ?? fields.right.dataType };
  return { issues: [keyIssue(comparison, kinds, index)] };
}

const fieldIn = (key: StoredKey, definitions: Known, side: Side): ModelField =>
  definitions[side].fields.get(fieldOfKey(key, side))!;

/** Undefined for types without values that can be compared. */
export function kindOf(definition: ModelDefinition, { id, tableId, dataType, sourceColumn }: ModelField) {
  const kinds: Partial<Record<ModelField['dataType'], KeyKind>> = {
    string: 'text',
    integer: 'integer',
    decimal: 'decimal',
    number: 'number',
    date: 'date',
    datetime: 'datetime',
    boolean: 'boolean',
  };
  const dialect = definition.model.sourceId === DATASETS ? 'duckdb' : 'postgres';
  if (dataType === 'datetime' && columnIn(definition, dialect)({ table: '', field: id }).stored === 'timestamp')
    return 'localDatetime';
  const column = definition.tables.get(tableId)!.columns?.find(({ name }) => name === sourceColumn);
  if (dataType === 'string' && (column?.type === 'uuid' || column?.sourceType === 'uuid')) return 'uuid';
  return kinds[dataType];
}

const SHOWN: Partial<Record<string, string>> = {
  text: 'text',
  number: 'floating-point number',
  localDatetime: 'datetime without a time zone',
  datetime: 'datetime with a time zone',
};
const nameKind = (kind: string) => SHOWN[kind] ?? kind;

function keyIssue(problem: KeyProblem, kinds: Record<Side, string>, index: number): KeyIssue {
  const pointer = `/keys/${index}`;
  const pair = `${nameKind(kinds.left)} and ${nameKind(kinds.right)}`;
  switch (problem.code) {
    case 'BLEND_KEY_TYPE': {
      const hint = problem.suggestion ? `; set \`as\` to "${problem.suggestion}"` : '';
      return { pointer: `${pointer}/as`, code: problem.code, message: `cannot compare ${pair}${hint}`, problem, kinds };
    }
    case 'BLEND_KEY_TIMEZONE':
      return {
        pointer: `${pointer}/timezone`,
        code: problem.code,
        message: `is required to compare ${pair}, because they depend on a time zone`,
        problem,
        kinds,
      };
    case 'CONFLICT': {
      const message =
        problem.member === 'timezone'
          ? `is not used to compare ${pair}; leave it out`
          : 'applies only to keys that are compared as text; leave it out, or set `as` to "text"';
      return { pointer: `${pointer}/${problem.member}`, code: problem.code, message, problem, kinds };
    }
  }
}

/** The error of a request with such keys: that of the first problem, with every issue. */
export function keyError(issues: readonly KeyIssue[]): AppError {
  const errors = issues.map(({ pointer, code, message }) => ({ pointer, code, message }));
  const first = issues.find(({ problem }) => problem && problem.code !== 'CONFLICT');
  if (!first) return new AppError('VALIDATION_FAILED', { errors });
  const { kinds, message } = first;
  const problem = first.problem as Exclude<KeyProblem, { code: 'CONFLICT' }>;
  const members = { ...kinds, ...(problem.code === 'BLEND_KEY_TYPE' ? { suggestion: problem.suggestion } : {}) };
  return new AppError(problem.code, { detail: `The key ${message}.`, errors, members });
}
