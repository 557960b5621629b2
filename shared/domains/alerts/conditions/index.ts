/** The public API of this domain; everything else is internal. */
export {
  type Advance,
  type AdvancePolicy,
  advance,
  type ClassState,
  type GroupFinding,
  type GroupState,
  groupOf,
  isLater,
  newClassState,
  type Silenced,
  silencedWith,
  stepsWithoutQuery,
} from './advance.ts';
export { type Check, type Checked, checkReading, type Surroundings } from './check-value.ts';
export { ASKED_KINDS, checkOf, conditionIssues, PUSHED, policyOf } from './condition-issues.ts';
export {
  NO_VALUE_REASONS,
  type NoValueReason,
  numberOf,
  type Reading,
  type Reducer,
  reduceValues,
} from './reduce.ts';
export {
  AlertCondition,
  AlertSource,
  FieldCondition,
  MetricCondition,
  SOURCE_KINDS,
  type SourceKind,
} from './schemas.ts';
export {
  ALERT_HEALTHS,
  ALERT_STATES,
  type AlertHealth,
  type AlertState,
  EDGES,
  type Edge,
  type EvaluationError,
  type Finding,
  type InstanceState,
  newInstance,
  type StatePolicy,
  type Step,
  step,
  ZONES,
} from './state-machine.ts';
export { CHANGE_OPERATORS, type ChangeOperator, changeFrom, type Operator, type Threshold } from './zones.ts';
