import { type CheckOptions, checkText } from './check/check.ts';
import type { Scope } from './check/scope.ts';
import { type Additivity, additivityOf, clockOf } from './check/traits.ts';
import { type Diagnostic, Diagnostics } from './language/diagnostics.ts';
import type { Typed } from './language/typed.ts';
import { DATA_TYPES, type DataType } from './language/types.ts';
import { referencesOf, toStored } from './references/stored.ts';

export interface Analysis {
  /** Whether there are no errors; warnings are allowed. */
  ok: boolean;
  diagnostics: Diagnostic[];
  /** The ids to which the text refers directly, also in a text with errors. */
  dependsOn: { fields: string[]; measures: string[] };
  valid?: ValidExpression;
}

export interface ValidExpression {
  tree: Typed;
  /** Undefined for a bare NULL. */
  dataType?: DataType;
  additive: Additivity;
  /** Whether the result depends on the date or the moment of the query. */
  clock: 'none' | 'date' | 'instant';
}

/** Checks a text and describes what it computes. Never throws, whatever the text is. */
export function analyze(text: string, scope: Scope, options: CheckOptions): Analysis {
  const diagnostics = new Diagnostics();
  const tree = checkText(text, scope, options, diagnostics);
  const found = { diagnostics: diagnostics.sorted(), dependsOn: referencesOf(toStored(text, scope)) };
  if (!tree) return { ok: false, ...found };
  const dataType = DATA_TYPES.find((type) => type === tree.type);
  const additive = tree.level === 'aggregate' ? additivityOf(tree) : 'none';
  return { ok: true, ...found, valid: { tree, ...(dataType ? { dataType } : {}), additive, clock: clockOf(tree) } };
}
