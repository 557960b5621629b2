import { isJsonObject, type Json } from '../json.ts';
import { Expression, ExpressionError, type Scope } from './expression.ts';

/** A field value that may contain `{% … %}` expressions at any depth. */
export interface Template {
  /** The value as written, if it has no expression. */
  readonly literal: Json | undefined;
  /** Whether it contains an expression. */
  readonly dynamic: boolean;
  /** The members of a template that is an object. */
  readonly memberNames: readonly string[];
  /** Throws `TemplateError`. */
  evaluate(scope: Scope): Promise<Json>;
}

/** The failed expression of a field, and the reason in AWS's words. */
export class TemplateError extends Error {
  readonly location: string;

  constructor(location: string, message: string) {
    super(message);
    this.location = location;
  }
}

const EXPRESSION = /^\{%([\s\S]*)%\}$/;

export function isExpression(value: unknown): value is string {
  return typeof value === 'string' && EXPRESSION.test(value);
}

/**
 * Compiles a field's value. `field` is its path in the state, such as `Arguments/Payload`; `report` receives each
 * syntax error.
 */
export function compileTemplate(value: Json, field: string, report: (message: string) => void): Template {
  if (isExpression(value)) return compileExpression(value, field, report);
  if (Array.isArray(value)) {
    const parts = value.map((item, index) => compileTemplate(item, `${field}[${index}]`, report));
    if (!parts.some((part) => part.dynamic)) return literal(value);
    return dynamic(async (scope) => {
      const result: Json[] = [];
      for (const part of parts) result.push(await part.evaluate(scope));
      return result;
    });
  }
  if (isJsonObject(value)) {
    const parts = Object.entries(value).map(
      ([key, member]) => [key, compileTemplate(member, `${field}/${key}`, report)] as const,
    );
    const memberNames = Object.keys(value);
    if (!parts.some(([, part]) => part.dynamic)) return literal(value, memberNames);
    return dynamic(async (scope) => {
      const result: [string, Json][] = [];
      for (const [key, part] of parts) result.push([key, await part.evaluate(scope)]);
      return Object.fromEntries(result);
    }, memberNames);
  }
  return literal(value);
}

function literal(value: Json, memberNames: readonly string[] = []): Template {
  return { literal: value, dynamic: false, memberNames, evaluate: async () => value };
}

function dynamic(evaluate: Template['evaluate'], memberNames: readonly string[] = []): Template {
  return { literal: undefined, dynamic: true, memberNames, evaluate };
}

function compileExpression(text: string, field: string, report: (message: string) => void): Template {
  const source = (EXPRESSION.exec(text)?.[1] ?? '').trim();
  let expression: Expression;
  try {
    expression = new Expression(source);
  } catch (error) {
    report(`The JSONata expression '${source}' in the field '${field}' is invalid: ${(error as Error).message}`);
    return literal(null);
  }
  return dynamic(async (scope) => {
    let result: Json | undefined;
    try {
      result = await expression.evaluate(scope);
    } catch (error) {
      if (!(error instanceof ExpressionError)) throw error;
      const reason = error.message.startsWith('returned')
        ? error.message
        : `threw an error during evaluation. ${error.message}`;
      throw new TemplateError(field, `The JSONata expression '${source}' specified for the field '${field}' ${reason}`);
    }
    if (result === undefined) {
      throw new TemplateError(
        field,
        `The JSONata expression '${source}' specified for the field '${field}' returned nothing (undefined).`,
      );
    }
    return result;
  });
}
