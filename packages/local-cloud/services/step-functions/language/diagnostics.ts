import { isJsonObject, type Json, type JsonObject } from '../json.ts';

export interface Diagnostic {
  readonly severity: 'ERROR';
  readonly code:
    | 'SCHEMA_VALIDATION_FAILED'
    | 'MISSING_TRANSITION_TARGET'
    | 'INVALID_JSON_DESCRIPTION'
    | 'DUPLICATE_STATE_NAME';
  readonly message: string;
  /** JSON pointer into the definition, such as `/States/Execute/Next`. */
  readonly location: string;
}

/** Collects the issues of a definition, so that all are reported together. */
export class Diagnostics {
  readonly list: Diagnostic[] = [];

  add(location: string, message: string, code: Diagnostic['code'] = 'SCHEMA_VALIDATION_FAILED'): void {
    this.list.push({ severity: 'ERROR', code, message, location: location || '/' });
  }
}

/** Reads the members of one object of the definition and reports issues with their place. */
export class Fields {
  readonly location: string;
  readonly #object: JsonObject;
  readonly #diagnostics: Diagnostics;

  constructor(object: JsonObject, location: string, diagnostics: Diagnostics) {
    this.#object = object;
    this.location = location;
    this.#diagnostics = diagnostics;
  }

  /** Reports unknown members; those of JSONPath and of distributed maps get messages of their own. */
  allowOnly(known: readonly string[], what: string): void {
    for (const name of Object.keys(this.#object)) {
      if (known.includes(name)) continue;
      const hint = JSONPATH_FIELDS.has(name)
        ? `The field '${name}' belongs to JSONPath; the local cloud runs JSONata only`
        : `The field '${name}' is not supported in ${what}`;
      this.issue(name, hint);
    }
  }

  issue(name: string, message: string): void {
    this.#diagnostics.add(name ? `${this.location}/${name}` : this.location, message);
  }

  has(name: string): boolean {
    return Object.hasOwn(this.#object, name);
  }

  value(name: string): Json | undefined {
    return this.#object[name];
  }

  text(name: string, required = false): string | undefined {
    const value = this.#object[name];
    if (value === undefined) {
      if (required) this.issue('', `The field '${name}' is required`);
      return undefined;
    }
    if (typeof value === 'string') return value;
    this.issue(name, `The field '${name}' must be a string`);
    return undefined;
  }

  /** A number within bounds; anything else is reported. */
  number(name: string, bounds: { min: number; max?: number; whole: boolean }): number | undefined {
    const value = this.#object[name];
    if (value === undefined) return undefined;
    const fits =
      typeof value === 'number' &&
      value >= bounds.min &&
      value <= (bounds.max ?? MAX_SECONDS) &&
      (!bounds.whole || Number.isInteger(value));
    if (fits) return value;
    const kind = bounds.whole ? 'whole number' : 'number';
    this.issue(name, `The field '${name}' must be a ${kind} from ${bounds.min} to ${bounds.max ?? MAX_SECONDS}`);
    return undefined;
  }

  object(name: string, required = false): Fields | undefined {
    const value = this.#object[name];
    if (isJsonObject(value)) return new Fields(value, `${this.location}/${name}`, this.#diagnostics);
    if (value !== undefined) this.issue(name, `The field '${name}' must be an object`);
    else if (required) this.issue('', `The field '${name}' is required`);
    return undefined;
  }

  /** The objects of an array member; an absent member is an empty list. */
  objects(name: string): Fields[] {
    const value = this.#object[name];
    if (value === undefined) return [];
    if (!Array.isArray(value)) {
      this.issue(name, `The field '${name}' must be an array`);
      return [];
    }
    return value.flatMap((item, index) => {
      if (isJsonObject(item)) return [new Fields(item, `${this.location}/${name}[${index}]`, this.#diagnostics)];
      this.issue(`${name}[${index}]`, 'Expected an object');
      return [];
    });
  }

  keys(): string[] {
    return Object.keys(this.#object);
  }
}

/** AWS's maximum duration in a definition, a little over three years. */
export const MAX_SECONDS = 99_999_999;

const JSONPATH_FIELDS = new Set([
  'InputPath',
  'OutputPath',
  'ResultPath',
  'Parameters',
  'ResultSelector',
  'Result',
  'ItemsPath',
  'SecondsPath',
  'TimestampPath',
  'TimeoutSecondsPath',
  'HeartbeatSecondsPath',
  'MaxConcurrencyPath',
  'ErrorPath',
  'CausePath',
  'Variable',
]);
