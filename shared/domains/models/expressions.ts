import type { ModelDefinition } from './definition.ts';
import type { ModelField } from './records.ts';
export const expressionText = (_d: ModelDefinition, s: string) => s;
export const staleIds = (_d: ModelDefinition): ReadonlySet<string> => new Set();
export const checkedFieldExpression = (_d: ModelDefinition, f: ModelField, text: string): ModelField => ({...f, expression: text});
