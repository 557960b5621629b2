import type { FunctionError } from '../execution/environment.ts';

export function errorObject(cause: unknown): FunctionError;
