import type { StepOutput } from '../store/index.ts';

/** The rows that a dependent reads from an output; of a route, those of the port that it names. */
export function rowsAtPort(output: StepOutput | undefined, port: string | undefined): StepOutput[] {
  if (!output) return [];
  return [port === undefined ? output : { ...output, ...output.ports![port]! }];
}
