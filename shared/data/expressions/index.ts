export { type Analysis, analyze, type ValidExpression } from './analyze.ts';
export {
  between,
  type ConstantValue,
  call,
  column,
  compare,
  constant,
  convert,
  ifTrue,
  integerConstant,
  isIn,
  isNull,
  logic,
  not,
  quotient,
  textConstant,
} from './build.ts';
export { CALENDAR_DAY } from './catalogue/conversions.ts';
export { type Dialect, FUNCTION_GROUPS, FUNCTION_NAMES, type FunctionEntry } from './catalogue/index.ts';
export { signature } from './check/arguments.ts';
export type { CheckOptions } from './check/check.ts';
export type { Purpose } from './check/context.ts';
export type { Scope, ScopeField, ScopeMeasure, ScopeParameter, ScopeTable } from './check/scope.ts';
export {
  type Additivity,
  additivityOf,
  aggregatesOf,
  clockOf,
  isAggregate,
  nestingOf,
  nodesOf,
  readsOf,
  windowsOf,
} from './check/traits.ts';
export { type Emission, emit, emitOrder } from './emit/emit.ts';
export { textLiteral } from './emit/literals.ts';
export type { EmitOptions, Principal, SqlColumn, SqlParameter } from './emit/options.ts';
export { sqlType } from './emit/sql.ts';
export { expressionIssues, issueOf } from './issues.ts';
export { DIAGNOSTIC_CODES, type Diagnostic, type DiagnosticCode } from './language/diagnostics.ts';
export { dateLiteral, datetimeLiteral, numberLiteral } from './language/literals.ts';
export { fieldReference, measureReference, readFieldName } from './language/names.ts';
export type { Literal } from './language/tree.ts';
export type { Typed, TypedCall, TypedField, TypedMeasure } from './language/typed.ts';
export { DATA_TYPES, type DataType, type ExpressionType } from './language/types.ts';
export { printTree } from './print.ts';
export { fromStored, referencesOf, type StoredExpression, type StoredSegment, toStored } from './references/stored.ts';
