import jsonata from 'jsonata';
import type { Json } from '../json.ts';
import { type FreeVariables, freeVariables } from './free-variables.ts';
import { type ExpressionRuntime, stepFunctionsFunctions } from './functions.ts';

/** The scope of an expression: the workflow variables and `$states`. */
export interface Scope {
  readonly variables: Readonly<Record<string, Json>>;
  readonly states: Readonly<Record<string, Json>>;
  readonly runtime: ExpressionRuntime;
}

/** A failed evaluation, with the reason in AWS's words. */
export class ExpressionError extends Error {}

/** Guards against endless recursion and loops inside one expression. */
const GUARDS = { stack: 1000, timeout: 5000 };
const EXIT_HOOK = Symbol.for('jsonata.__evaluate_exit') as unknown as string;

/** A JSONata expression, parsed once. */
export class Expression {
  readonly source: string;
  readonly reads: FreeVariables;
  readonly #compiled: jsonata.Expression;
  #strict: jsonata.Expression | undefined;

  /** Throws JSONata's syntax error (`message`, `position`). */
  constructor(source: string) {
    this.source = source;
    this.#compiled = jsonata(source, GUARDS);
    this.reads = freeVariables(this.#compiled.ast());
  }

  /** The value as plain JSON, or `undefined` for none. Throws `ExpressionError`. */
  async evaluate(scope: Scope): Promise<Json | undefined> {
    const bindings = { ...stepFunctionsFunctions(scope.runtime), ...scope.variables, states: scope.states };
    try {
      return plainJson(await this.#variantFor(bindings).evaluate(undefined, bindings));
    } catch (error) {
      throw error instanceof ExpressionError ? error : new ExpressionError(messageOf(error));
    }
  }

  /**
   * JSONata evaluates an unassigned variable to nothing, Step Functions fails. The check runs only for expressions that
   * read variables.
   */
  #variantFor(bindings: Record<string, unknown>): jsonata.Expression {
    for (const name of this.reads.names) {
      if (!Object.hasOwn(bindings, name) && !JSONATA_FUNCTIONS.has(name)) return this.#strictVariant();
    }
    return this.#compiled;
  }

  #strictVariant(): jsonata.Expression {
    if (this.#strict) return this.#strict;
    const strict = jsonata(this.source, GUARDS);
    const { names, optionalReads } = freeVariables(strict.ast());
    strict.assign(EXIT_HOOK, (node: jsonata.ExprNode, _input: unknown, _environment: unknown, result: unknown) => {
      if (node.type !== 'variable' || result !== undefined || !names.has(node.value) || optionalReads.has(node)) return;
      throw new ExpressionError(`The variable '$${node.value}' has not been assigned.`);
    });
    this.#strict = strict;
    return strict;
  }
}

/** Names that JSONata binds itself, which are never missing. */
const JSONATA_FUNCTIONS = new Set(
  `sum count max min average string substring substringBefore substringAfter lowercase uppercase length trim pad match
  contains replace split join formatNumber formatBase formatInteger parseInteger number floor ceil round abs sqrt power
  boolean not map zip filter single reduce sift keys lookup append exists spread merge reverse each error assert type
  sort shuffle distinct base64encode base64decode encodeUrlComponent encodeUrl decodeUrlComponent decodeUrl toMillis
  fromMillis clone`.split(/\s+/),
);

/** JSONata results contain functions and marked arrays; the result must be plain JSON, or it is an error. */
function plainJson(value: unknown): Json | undefined {
  if (value === undefined || value === null || typeof value === 'string' || typeof value === 'boolean') return value;
  if (typeof value === 'number') {
    if (!Number.isFinite(value)) throw new ExpressionError('returned a number that JSON cannot represent.');
    return value;
  }
  if (Array.isArray(value)) return value.map((item) => plainJson(item) ?? null);
  if (typeof value === 'object' && !('_jsonata_lambda' in value) && !('_jsonata_function' in value)) {
    const members = Object.entries(value).map(([key, member]) => [key, plainJson(member)] as const);
    return Object.fromEntries(members.filter(([, member]) => member !== undefined)) as Json;
  }
  throw new ExpressionError('returned an unsupported result type.');
}

function messageOf(error: unknown): string {
  const message = (error as { message?: unknown })?.message;
  return typeof message === 'string' ? message : String(error);
}
