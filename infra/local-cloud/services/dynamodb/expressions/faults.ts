import { invalid } from '../errors.ts';

/** What can be wrong with an expression whose syntax is right, in the order in which DynamoDB looks for it. */
const kinds = [
  'unknownFunction',
  'repeatedSection',
  'misusedFunction',
  'reservedWord',
  'undefinedName',
  'undefinedValue',
  'operandCount',
  'overlap',
  'conflict',
  'indistinct',
  'operandType',
] as const;
export type FaultKind = (typeof kinds)[number];

/** Collects the faults of one expression; DynamoDB reports a single one, the first of the first kind. */
export class ExpressionFaults {
  readonly #found = new Map<FaultKind, string>();
  readonly #expression: string;

  constructor(expression: string) {
    this.#expression = expression;
  }

  add(kind: FaultKind, message: string): void {
    if (!this.#found.has(kind)) this.#found.set(kind, message);
  }

  throwFirst(): void {
    if (this.#found.size === 0) return;
    const kind = kinds.find((candidate) => this.#found.has(candidate)) as FaultKind;
    throw invalid(`Invalid ${this.#expression}: ${this.#found.get(kind)}`);
  }
}
