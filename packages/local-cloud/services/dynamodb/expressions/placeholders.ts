import { invalid } from '../errors.ts';
import { type AttributeValue, type Item, normaliseValue } from '../values.ts';

/** The members of a request with names and values for its expressions. */
export interface ExpressionInput {
  ExpressionAttributeNames?: Record<string, string>;
  ExpressionAttributeValues?: Item;
}

/**
 * `ExpressionAttributeNames` and `ExpressionAttributeValues` of one request. Tracks their use, because an unused one is
 * an error.
 */
export class Placeholders {
  readonly #names: Record<string, string>;
  readonly #values: Item;
  readonly #unusedNames: Set<string>;
  readonly #unusedValues: Set<string>;

  /**
   * `expressions` are the request's expressions by member name; undefined where absent. Throws `ValidationException`
   * for malformed placeholders, and for placeholders in a request without expressions.
   */
  constructor(input: ExpressionInput, expressions: Record<string, string | undefined>) {
    const { ExpressionAttributeNames: names, ExpressionAttributeValues: values } = input;
    const given = Object.keys(expressions).filter((name) => expressions[name] !== undefined);
    if (names && given.length === 0) {
      throw invalid('ExpressionAttributeNames can only be specified when using expressions');
    }
    const usingValues = Object.keys(expressions).filter((name) => name !== 'ProjectionExpression');
    if (values && !usingValues.some((name) => expressions[name] !== undefined)) {
      const verb = usingValues.length > 1 ? 'are' : 'is';
      throw invalid(
        usingValues.length === 0
          ? 'ExpressionAttributeValues can only be specified when using expressions'
          : `ExpressionAttributeValues can only be specified when using expressions: ${usingValues.join(' and ')} ${verb} null`,
      );
    }
    if (names) checkKeys(names, 'ExpressionAttributeNames', /^#[0-9a-zA-Z_]+$/);
    if (values) {
      checkKeys(values, 'ExpressionAttributeValues', /^:[0-9a-zA-Z_]+$/);
      for (const key in values) checkValue(key, values[key] as AttributeValue);
    }
    this.#names = names ?? {};
    this.#values = values ?? {};
    this.#unusedNames = new Set(Object.keys(this.#names));
    this.#unusedValues = new Set(Object.keys(this.#values));
  }

  name(placeholder: string): string | undefined {
    this.#unusedNames.delete(placeholder);
    return Object.hasOwn(this.#names, placeholder) ? this.#names[placeholder] : undefined;
  }

  value(placeholder: string): AttributeValue | undefined {
    this.#unusedValues.delete(placeholder);
    return Object.hasOwn(this.#values, placeholder) ? this.#values[placeholder] : undefined;
  }

  /** Call after compiling every expression of the request. */
  rejectUnused(): void {
    if (this.#unusedNames.size > 0) {
      throw invalid(
        `Value provided in ExpressionAttributeNames unused in expressions: keys: {${[...this.#unusedNames].join(', ')}}`,
      );
    }
    if (this.#unusedValues.size > 0) {
      throw invalid(
        `Value provided in ExpressionAttributeValues unused in expressions: keys: {${[...this.#unusedValues].join(', ')}}`,
      );
    }
  }
}

function checkKeys(placeholders: object, member: string, pattern: RegExp): void {
  const keys = Object.keys(placeholders);
  if (keys.length === 0) throw invalid(`${member} must not be empty`);
  for (const key of keys) {
    if (!pattern.test(key)) throw invalid(`${member} contains invalid key: Syntax error; key: "${key}"`);
  }
}

function checkValue(key: string, value: AttributeValue): void {
  try {
    normaliseValue(value);
  } catch (error) {
    throw invalid(`ExpressionAttributeValues contains invalid value: ${(error as Error).message} for key ${key}`);
  }
}
