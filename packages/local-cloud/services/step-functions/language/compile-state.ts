import type { Json } from '../json.ts';
import { compileCatchers, compileRetriers } from './compile-recovery.ts';
import { type Fields, MAX_SECONDS } from './diagnostics.ts';
import type { ChoiceRule, Program, State } from './program.ts';
import { checkArguments } from './task-arguments.ts';
import { parseTaskResource } from './task-resource.ts';
import { compileTemplate, isExpression, type Template } from './template.ts';
import { isTimestamp } from './timestamp.ts';

type CompileProgram = (fields: Fields) => Program | undefined;

const COMMON = ['Type', 'Comment', 'QueryLanguage'];
const FLOW = [...COMMON, 'Next', 'End', 'Assign', 'Output'];
const RECOVERY = ['Retry', 'Catch'];
const STATE_FIELDS: Record<State['type'], readonly string[]> = {
  Pass: FLOW,
  Wait: [...FLOW, 'Seconds', 'Timestamp'],
  Task: [...FLOW, ...RECOVERY, 'Resource', 'Arguments', 'TimeoutSeconds', 'HeartbeatSeconds'],
  Parallel: [...FLOW, ...RECOVERY, 'Branches', 'Arguments'],
  Map: [...FLOW, ...RECOVERY, 'ItemProcessor', 'Items', 'ItemSelector', 'MaxConcurrency'],
  Choice: [...COMMON, 'Choices', 'Default', 'Assign', 'Output'],
  Succeed: [...COMMON, 'Output'],
  Fail: [...COMMON, 'Error', 'Cause'],
};

/** Compiles one state; `undefined` if its issues leave nothing to compile. Issues are reported through `fields`. */
export function compileState(name: string, fields: Fields, compileProgram: CompileProgram): State | undefined {
  const type = fields.text('Type', true);
  if (type === undefined) return undefined;
  if (!isStateType(type)) {
    fields.issue('Type', `The state '${name}' has the unknown type '${type}'`);
    return undefined;
  }
  fields.allowOnly(STATE_FIELDS[type], `the ${type} state '${name}'`);
  fields.text('Comment');
  if (fields.has('QueryLanguage') && fields.value('QueryLanguage') !== 'JSONata') {
    fields.issue('QueryLanguage', "QueryLanguage must be 'JSONata': the local cloud does not run JSONPath");
  }
  const common = { name, ...flow(type, fields), ...assignAndOutput(fields) };

  switch (type) {
    case 'Pass':
    case 'Succeed':
      return { ...common, type };
    case 'Fail':
      return {
        ...common,
        type,
        ...optional('error', textTemplate(fields, 'Error')),
        ...optional('cause', textTemplate(fields, 'Cause')),
      };
    case 'Wait':
      return compileWait(common, fields);
    case 'Choice':
      return compileChoice(common, fields);
    case 'Task':
      return compileTask(common, fields);
    case 'Parallel': {
      if (!fields.has('Branches')) fields.issue('', "The field 'Branches' is required");
      const branches = fields.objects('Branches').map((branch) => {
        branch.allowOnly(['Comment', 'StartAt', 'States'], 'a branch');
        return compileProgram(branch);
      });
      if (branches.length === 0) fields.issue('Branches', 'A Parallel state needs at least one branch');
      const recovery = { retriers: compileRetriers(fields), catchers: compileCatchers(fields) };
      if (!branches.every((branch) => branch !== undefined)) return undefined;
      return { ...common, type, ...recovery, branches, ...optional('arguments', template(fields, 'Arguments')) };
    }
    case 'Map':
      return compileMap(common, fields, compileProgram);
  }
}

type Common = Pick<State, 'name' | 'next' | 'assign' | 'output'>;

function isStateType(type: string): type is State['type'] {
  return Object.hasOwn(STATE_FIELDS, type);
}

/** Exactly one of `Next` and `End: true`, for types that may have them. */
function flow(type: State['type'], fields: Fields): { next?: string } {
  if (type === 'Choice' || type === 'Succeed' || type === 'Fail') return {};
  const next = fields.text('Next');
  const end = fields.value('End');
  if (end !== undefined && end !== true) fields.issue('End', "The field 'End' must be true");
  if ((next !== undefined) === (end === true)) fields.issue('', "Exactly one of 'Next' and 'End' is required");
  return optional('next', next);
}

function assignAndOutput(fields: Fields): Pick<State, 'assign' | 'output'> {
  return { ...optional('assign', assignment(fields)), ...optional('output', template(fields, 'Output')) };
}

/** The `Assign` of a state, rule or catcher: variable names with values. */
function assignment(fields: Fields): Template | undefined {
  const names = fields.object('Assign');
  for (const name of names?.keys() ?? []) {
    if (name === 'states') names?.issue(name, "The variable name 'states' is reserved");
    else if (!/^[\p{ID_Start}][\p{ID_Continue}]{0,79}$/u.test(name))
      names?.issue(name, `'${name}' is not a valid variable name`);
  }
  return names && template(fields, 'Assign');
}

function template(fields: Fields, name: string): Template | undefined {
  const value = fields.value(name);
  return value === undefined ? undefined : compileTemplate(value, name, (message) => fields.issue(name, message));
}

function textTemplate(fields: Fields, name: string): Template | undefined {
  return fields.text(name) === undefined ? undefined : template(fields, name);
}

/** A field with a whole number or an expression. */
function countTemplate(fields: Fields, name: string, min: number): Template | undefined {
  if (!isExpression(fields.value(name))) fields.number(name, { min, max: MAX_SECONDS, whole: true });
  return template(fields, name);
}

function compileWait(common: Common, fields: Fields): State {
  if (fields.has('Seconds') === fields.has('Timestamp')) {
    fields.issue('', "Exactly one of 'Seconds' and 'Timestamp' is required");
  }
  const timestamp = fields.text('Timestamp');
  if (timestamp !== undefined && !isExpression(timestamp) && !isTimestamp(timestamp)) {
    fields.issue('Timestamp', `'${timestamp}' is not an RFC 3339 timestamp`);
  }
  return {
    ...common,
    type: 'Wait',
    ...optional('seconds', countTemplate(fields, 'Seconds', 0)),
    ...optional('timestamp', textTemplate(fields, 'Timestamp')),
  };
}

function compileChoice(common: Common, fields: Fields): State {
  const rules = fields.objects('Choices').map((rule): ChoiceRule | undefined => {
    rule.allowOnly(['Condition', 'Next', 'Assign', 'Output', 'Comment'], 'a choice rule');
    const condition = template(rule, 'Condition');
    if (!condition) rule.issue('', "The field 'Condition' is required");
    else if (condition.literal !== undefined && typeof condition.literal !== 'boolean') {
      rule.issue('Condition', "The field 'Condition' must be a JSONata expression or a boolean");
    }
    const next = rule.text('Next', true);
    if (!condition || next === undefined) return undefined;
    return { condition, next, ...assignAndOutput(rule) };
  });
  if (rules.length === 0) fields.issue('', "The field 'Choices' must hold at least one rule");
  return {
    ...common,
    type: 'Choice',
    rules: rules.filter((rule) => rule !== undefined),
    ...optional('defaultNext', fields.text('Default')),
  };
}

function compileTask(common: Common, fields: Fields): State | undefined {
  const arn = fields.text('Resource', true);
  if (arn === undefined) return undefined;
  const resource = parseTaskResource(arn);
  if (!resource) {
    fields.issue('Resource', `The resource '${arn}' is not supported by the local cloud`);
    return undefined;
  }
  checkArguments(resource, fields);
  return {
    ...common,
    type: 'Task',
    resource,
    retriers: compileRetriers(fields),
    catchers: compileCatchers(fields),
    ...optional('arguments', template(fields, 'Arguments')),
    ...optional('timeoutSeconds', countTemplate(fields, 'TimeoutSeconds', 1)),
    ...optional('heartbeatSeconds', countTemplate(fields, 'HeartbeatSeconds', 1)),
  };
}

function compileMap(common: Common, fields: Fields, compileProgram: CompileProgram): State | undefined {
  const processor = fields.object('ItemProcessor', true);
  if (!processor) return undefined;
  processor.allowOnly(['ProcessorConfig', 'Comment', 'StartAt', 'States'], 'an item processor');
  const config = processor.object('ProcessorConfig');
  config?.allowOnly(['Mode'], "the processor configuration of an 'INLINE' map");
  if (config?.has('Mode') && config.value('Mode') !== 'INLINE') {
    config.issue('Mode', `The map mode '${String(config.value('Mode'))}' is not supported by the local cloud`);
  }
  const items: Json | undefined = fields.value('Items');
  if (items !== undefined && !Array.isArray(items) && !isExpression(items)) {
    fields.issue('Items', "The field 'Items' must be an array or a JSONata expression");
  }
  const program = compileProgram(processor);
  const recovery = { retriers: compileRetriers(fields), catchers: compileCatchers(fields) };
  const parts = {
    ...optional('items', template(fields, 'Items')),
    ...optional('itemSelector', template(fields, 'ItemSelector')),
    ...optional('maxConcurrency', countTemplate(fields, 'MaxConcurrency', 0)),
  };
  return program && { ...common, type: 'Map', ...recovery, ...parts, processor: program };
}

/** `{[key]: value}`, or nothing for an absent value. */
function optional<K extends string, V>(key: K, value: V | undefined): { [P in K]?: V } {
  return value === undefined ? {} : ({ [key]: value } as { [P in K]?: V });
}
