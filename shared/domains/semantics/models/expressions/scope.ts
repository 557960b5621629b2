import { fromStored, type Scope, type ScopeTable } from '../../../../data/expressions/index.ts';
import { fieldsOf, liveMeasures, type ModelDefinition } from '../definition/definition.ts';
import type { Measure, ModelField } from '../definition/records.ts';
import { scopeParameters } from './parameters.ts';

/** What expressions of a model may refer to, made once for each definition. */
class ModelScopes {
  readonly #definition: ModelDefinition;
  readonly #denied: ReadonlySet<string>;
  readonly #tables = new Map<string, Scope>();
  readonly #policies = new Map<string, Scope>();
  #model: Scope | undefined;

  constructor(definition: ModelDefinition, denied: ReadonlySet<string> = new Set()) {
    this.#definition = definition;
    this.#denied = denied;
  }

  get model(): Scope {
    this.#model ??= this.#makeModel();
    return this.#model;
  }

  /** Only the table, whose fields may be named without its alias. */
  table(id: string): Scope {
    const scope = this.#tables.get(id) ?? { tables: [this.#tableOf(id)], measures: [], home: id };
    this.#tables.set(id, scope);
    return scope;
  }

  /** The fields of all tables; those of the table may be named without its alias. */
  policy(id: string): Scope {
    const scope = this.#policies.get(id) ?? {
      tables: [...this.#definition.tables.keys()].map((each) => this.table(each).tables[0]!),
      measures: [],
      home: id,
    };
    this.#policies.set(id, scope);
    return scope;
  }

  #makeModel(): Scope {
    const scope: Scope = {
      tables: [...this.#definition.tables.keys()].map((id) => this.table(id).tables[0]!),
      measures: liveMeasures(this.#definition).map((measure) => withText(measure, () => scope)),
      parameters: scopeParameters(this.#definition.model),
    };
    return scope;
  }

  #tableOf(id: string): ScopeTable {
    const { alias } = this.#definition.tables.get(id)!;
    return { id, alias, fields: fieldsOf(this.#definition, id).map((field) => this.#fieldOf(field)) };
  }

  #fieldOf(field: ModelField): ScopeTable['fields'][number] {
    const { id, name, dataType, isHidden, expression, tableId } = field;
    const access = this.#denied.has(id) ? ('denied' as const) : isHidden ? ('hidden' as const) : undefined;
    const base = { id, name, dataType, ...(access ? { access } : {}) };
    if (expression === null) return base;
    // Written out when it is needed: the names of the scope must be known first.
    return Object.defineProperty({ ...base, expression: '' }, 'expression', {
      get: once(() => fromStored(expression, this.table(tableId))),
    });
  }
}

function withText({ id, name, expression }: Measure, scope: () => Scope): Scope['measures'][number] {
  return Object.defineProperty({ id, name, expression: '' }, 'expression', {
    get: once(() => fromStored(expression, scope())),
  });
}

function once<T>(make: () => T): () => T {
  let made: { value: T } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}

const SCOPES = new WeakMap<ModelDefinition, ModelScopes>();

function scopesOf(definition: ModelDefinition): ModelScopes {
  const scopes = SCOPES.get(definition) ?? new ModelScopes(definition);
  SCOPES.set(definition, scopes);
  return scopes;
}

/** Every table and measure of the model. */
export const modelScope = (definition: ModelDefinition): Scope => scopesOf(definition).model;

/** The same for a caller who may not use some of the fields. */
export const modelScopeWithout = (definition: ModelDefinition, denied: ReadonlySet<string>): Scope =>
  denied.size === 0 ? modelScope(definition) : new ModelScopes(definition, denied).model;

/** For expressions of single rows of one table. */
export const tableScope = (definition: ModelDefinition, tableId: string): Scope => scopesOf(definition).table(tableId);

/** For the policies of a table, which may read other tables too. */
export const policyScope = (definition: ModelDefinition, tableId: string): Scope =>
  scopesOf(definition).policy(tableId);
