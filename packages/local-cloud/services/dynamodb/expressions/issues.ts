import { invalid } from '../errors.ts';

/** Kinds of semantic errors of an expression, in the order in which DynamoDB checks them. */
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
export type IssueKind = (typeof kinds)[number];

/** Collects the errors of one expression; DynamoDB reports only the first one of the first kind. */
export class ExpressionIssues {
  readonly #found = new Map<IssueKind, string>();
  readonly #expression: string;

  constructor(expression: string) {
    this.#expression = expression;
  }

  add(kind: IssueKind, message: string): void {
    if (!this.#found.has(kind)) this.#found.set(kind, message);
  }

  throwFirst(): void {
    if (this.#found.size === 0) return;
    const kind = kinds.find((candidate) => this.#found.has(candidate)) as IssueKind;
    throw invalid(`Invalid ${this.#expression}: ${this.#found.get(kind)}`);
  }
}
