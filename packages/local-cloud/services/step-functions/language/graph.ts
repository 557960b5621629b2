import type { Diagnostics } from './diagnostics.ts';
import type { Program, State } from './program.ts';

/** The transitions of a state, each with its field. */
function targets(state: State): { field: string; target: string }[] {
  const found: { field: string; target: string }[] = [];
  if (state.next !== undefined) found.push({ field: 'Next', target: state.next });
  if (state.type === 'Choice') {
    for (const [index, rule] of state.rules.entries())
      found.push({ field: `Choices[${index}]/Next`, target: rule.next });
    if (state.defaultNext !== undefined) found.push({ field: 'Default', target: state.defaultNext });
  }
  if ('catchers' in state) {
    for (const [index, catcher] of state.catchers.entries())
      found.push({ field: `Catch[${index}]/Next`, target: catcher.next });
  }
  return found;
}

/** Checks that every target exists, every state can be reached, and the graph can end. */
export function checkGraph(program: Program, location: string, diagnostics: Diagnostics): void {
  const missing = (place: string, field: string, target: string) =>
    diagnostics.add(`${location}${place}`, `Missing '${field}' target: ${target}`, 'MISSING_TRANSITION_TARGET');

  if (!program.states.has(program.startAt)) missing('/StartAt', 'StartAt', program.startAt);
  for (const [name, state] of program.states) {
    for (const { field, target } of targets(state)) {
      if (!program.states.has(target)) missing(`/States/${name}/${field}`, field, target);
    }
  }
  const reached = reachable(program);
  for (const name of program.states.keys()) {
    if (!reached.has(name)) {
      diagnostics.add(`${location}/States/${name}`, `State "${name}" is not reachable.`, 'MISSING_TRANSITION_TARGET');
    }
  }
  const ends = [...program.states.values()].some((state) => state.type !== 'Choice' && state.next === undefined);
  if (!ends) diagnostics.add(`${location}/States`, 'There is no terminal state', 'MISSING_TRANSITION_TARGET');
}

function reachable(program: Program): Set<string> {
  const reached = new Set<string>();
  const open = [program.startAt];
  for (let name = open.pop(); name !== undefined; name = open.pop()) {
    const state = program.states.get(name);
    if (!state || reached.has(name)) continue;
    reached.add(name);
    open.push(...targets(state).map(({ target }) => target));
  }
  return reached;
}

export function innerPrograms(state: State): readonly Program[] {
  if (state.type === 'Parallel') return state.branches;
  return state.type === 'Map' ? [state.processor] : [];
}

/** Checks that state names are unique in the whole machine, inner graphs included. */
export function checkUniqueStateNames(program: Program, diagnostics: Diagnostics, seen = new Set<string>()): void {
  for (const [name, state] of program.states) {
    if (seen.has(name)) {
      diagnostics.add(`/States/${name}`, `A state named '${name}' exists already`, 'DUPLICATE_STATE_NAME');
    }
    seen.add(name);
    for (const inner of innerPrograms(state)) checkUniqueStateNames(inner, diagnostics, seen);
  }
}
