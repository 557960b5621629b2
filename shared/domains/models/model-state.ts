import type { ModelDefinition } from './definition.ts';
import { isMissing } from './missing.ts';

export interface ModelState {
  staleMeasures: number;
  health: { errors: number; warnings: number };
}

export function modelState(definition: ModelDefinition): ModelState {
  const missing = [...definition.fields.values()].filter((field) => isMissing(definition, field)).length;
  return { staleMeasures: 0, health: { errors: missing, warnings: 0 } };
}
