import { isJsonObject, type Json } from '../json.ts';
import { compileState } from './compile-state.ts';
import { type Diagnostic, Diagnostics, Fields } from './diagnostics.ts';
import { checkGraph, checkUniqueStateNames } from './graph.ts';
import type { Machine, Program, State } from './program.ts';
import { checkVariableScopes } from './variable-scopes.ts';

/** 1 MB, as AWS counts it. */
const DEFINITION_LIMIT_BYTES = 1_048_576;
const STATE_NAME_LIMIT = 80;

/** Parses and compiles a definition in Amazon States Language. `machine` is only present without issues. */
export function compileMachine(definition: string): { machine?: Machine; diagnostics: readonly Diagnostic[] } {
  const diagnostics = new Diagnostics();
  const parsed = parse(definition, diagnostics);
  if (parsed === undefined) return { diagnostics: diagnostics.list };

  const fields = new Fields(parsed, '', diagnostics);
  fields.allowOnly(['Comment', 'QueryLanguage', 'StartAt', 'States', 'TimeoutSeconds', 'Version'], 'a state machine');
  if (fields.value('QueryLanguage') !== 'JSONata') {
    fields.issue('QueryLanguage', "QueryLanguage must be 'JSONata': the local cloud does not run JSONPath");
  }
  if (fields.has('Version') && fields.value('Version') !== '1.0') fields.issue('Version', "Version must be '1.0'");
  fields.text('Comment');
  const timeoutSeconds = fields.number('TimeoutSeconds', { min: 1, whole: true });
  const program = compileProgram(fields, diagnostics);
  if (diagnostics.list.length === 0 && program) {
    checkUniqueStateNames(program, diagnostics);
    checkVariableScopes(program, diagnostics);
  }
  if (diagnostics.list.length > 0 || !program) return { diagnostics: diagnostics.list };
  return { machine: { ...program, ...(timeoutSeconds !== undefined && { timeoutSeconds }) }, diagnostics: [] };
}

/** Compiles `StartAt` and `States` of a machine, a branch or an item processor. */
export function compileProgram(fields: Fields, diagnostics: Diagnostics): Program | undefined {
  const startAt = fields.text('StartAt', true);
  const definitions = fields.object('States', true);
  if (startAt === undefined || !definitions) return undefined;
  if (definitions.keys().length === 0) definitions.issue('', "The field 'States' must hold at least one state");

  const states = new Map<string, State>();
  let complete = true;
  for (const name of definitions.keys()) {
    if (name.length === 0 || name.length > STATE_NAME_LIMIT) {
      definitions.issue(name, `A state name must have 1 to ${STATE_NAME_LIMIT} characters`);
    }
    const definition = definitions.object(name);
    const state = definition && compileState(name, definition, (inner) => compileProgram(inner, diagnostics));
    if (state) states.set(name, state);
    else complete = false;
  }
  if (!complete) return undefined;
  const program = { startAt, states };
  checkGraph(program, fields.location, diagnostics);
  return program;
}

function parse(definition: string, diagnostics: Diagnostics): { [member: string]: Json } | undefined {
  if (Buffer.byteLength(definition) > DEFINITION_LIMIT_BYTES) {
    diagnostics.add('', `The definition is larger than ${DEFINITION_LIMIT_BYTES} bytes`);
    return undefined;
  }
  try {
    const parsed: unknown = JSON.parse(definition);
    if (isJsonObject(parsed)) return parsed;
    diagnostics.add('', 'The definition must be a JSON object', 'INVALID_JSON_DESCRIPTION');
  } catch (error) {
    diagnostics.add('', `The definition is not valid JSON: ${(error as Error).message}`, 'INVALID_JSON_DESCRIPTION');
  }
  return undefined;
}
