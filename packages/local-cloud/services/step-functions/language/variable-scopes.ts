import type { Diagnostics } from './diagnostics.ts';
import { innerPrograms } from './graph.ts';
import type { Program, State } from './program.ts';
import type { Template } from './template.ts';

/**
 * A Map iteration or Parallel branch has its own scope: it reads the outer variables but cannot assign them, so a name
 * assigned outside must not be assigned inside.
 */
export function checkVariableScopes(
  program: Program,
  diagnostics: Diagnostics,
  outer: ReadonlySet<string> = new Set(),
): void {
  const here = new Set(outer);
  for (const state of program.states.values()) {
    for (const name of assignedNames(state)) {
      if (outer.has(name)) {
        diagnostics.add(
          `/States/${state.name}/Assign/${name}`,
          `The variable '${name}' is assigned in an outer scope and cannot be assigned here`,
        );
      }
      here.add(name);
    }
  }
  for (const state of program.states.values()) {
    for (const inner of innerPrograms(state)) checkVariableScopes(inner, diagnostics, here);
  }
}

function assignedNames(state: State): string[] {
  const assignments: (Template | undefined)[] = [state.assign];
  if (state.type === 'Choice') assignments.push(...state.rules.map((rule) => rule.assign));
  if ('catchers' in state) assignments.push(...state.catchers.map((catcher) => catcher.assign));
  return assignments.flatMap((assignment) => (assignment ? assignment.memberNames : []));
}
