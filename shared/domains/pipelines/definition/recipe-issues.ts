import * as Type from 'typebox';
import { compileRecipe } from '../../../data/recipe/compile.ts';
import type { RecipeColumn } from '../../../data/recipe/table.ts';
import type { Issue } from '../../../platform/errors/app-error.ts';
import { hasShape } from '../../../platform/validation/shape-issues.ts';
import { CDC_COLUMNS } from '../cdc/index.ts';
import { gateColumnIssues } from './configs/gates.ts';
import { loadColumnIssues } from './configs/load.ts';
import { recipeOf, relocateIssues } from './configs/transform-sql.ts';
import type { Step } from './dag.ts';
import { inputsOf } from './step-configs.ts';

/** The least shape of a readable `outputSchema`; the step's own validation reports everything else. */
const NAMED = Type.Array(Type.Object({ name: Type.String() }));
const NAMES = Type.Array(Type.String());

/**
 * Reports columns that an operation uses and its input lacks, and columns of an unsuitable type. Without data the
 * columns of a code step are known from its `outputSchema`, of an extract from its `columns`, of a recipe from its
 * operations.
 */
export function recipeIssues(steps: readonly Step[]): Issue[] {
  return new StepColumns(steps, new Map()).issues();
}

/** The output columns of steps, and the issues that they reveal. */
export class StepColumns {
  readonly #list: readonly Step[];
  readonly #steps: ReadonlyMap<string, Step>;
  readonly #loads: ReadonlySet<string>;
  readonly #statements: ReadonlyMap<string, RecipeColumn[] | undefined>;
  readonly #known = new Map<string, RecipeColumn[] | undefined>();

  /**
   * `statements` has the columns of steps that only a parser knows. They may be added later, but before they are asked
   * for. An entry without columns makes those of any step unknown.
   */
  constructor(steps: readonly Step[], statements: ReadonlyMap<string, RecipeColumn[] | undefined>) {
    this.#list = steps;
    this.#statements = statements;
    this.#steps = new Map(steps.map((step) => [step.id, step]));
    this.#loads = new Set(steps.filter(({ type }) => type === 'load').map(({ id }) => id));
  }

  issues(): Issue[] {
    return this.#list.flatMap((step, index) => this.#issuesOf(step, `/dag/steps/${index}/config`));
  }

  /** The columns of each input of a step, by alias. */
  inputsOf(step: Step): [alias: string, columns: RecipeColumn[] | undefined][] {
    return Object.entries(inputsOf(step, this.#loads)).map(([alias, id]) => [alias, this.columnsOf(id)]);
  }

  /** The columns of the rows that the gates of a step test: the input of a load, the output of other steps. */
  tested(step: Step): RecipeColumn[] | undefined {
    const checked = step.type === 'load' ? inputsOf(step, this.#loads).input : step.id;
    return checked === undefined ? undefined : this.columnsOf(checked);
  }

  #issuesOf(step: Step, at: string): Issue[] {
    const gates = [...this.#gateIssues(step, at), ...this.#loadIssues(step, at)];
    if (step.type !== 'transform_sql' || !recipeOf(step.config)) return gates;
    const compiled = this.compile(step, at);
    if (compiled) return [...relocateIssues(compiled.issues, step.config, at), ...gates];
    return [{ pointer: `${at}/inputs`, code: 'REQUIRED', message: 'is required: a recipe needs at least one input' }];
  }

  #gateIssues(step: Step, at: string): Issue[] {
    const columns = this.tested(step);
    return columns ? gateColumnIssues(step.config.gates, columns, `${at}/gates`) : [];
  }

  #loadIssues(step: Step, at: string): Issue[] {
    const { input } = step.type === 'load' ? inputsOf(step, this.#loads) : {};
    const columns = input === undefined ? undefined : this.columnsOf(input);
    return columns ? loadColumnIssues(step.config, columns, at) : [];
  }

  /** The recipe of a step with one; undefined without an input. */
  compile(step: Step, at: string) {
    const inputs = this.inputsOf(step);
    const [main] = inputs;
    return (
      main &&
      compileRecipe(recipeOf(step.config)!, Object.fromEntries(inputs), {
        main: main[0],
        at: `${at}/ops`,
        suggests: true,
      })
    );
  }

  columnsOf(id: string): RecipeColumn[] | undefined {
    if (this.#statements.has(id)) return this.#statements.get(id);
    if (!this.#known.has(id)) {
      // The columns of a cycle, which is an issue itself, are unknown.
      this.#known.set(id, undefined);
      const step = this.#steps.get(id);
      this.#known.set(id, step && this.#find(step));
    }
    return this.#known.get(id);
  }

  #find(step: Step): RecipeColumn[] | undefined {
    const { columns, outputSchema } = step.config as { columns?: unknown; outputSchema?: RecipeColumn[] };
    if (step.type === 'extract') {
      if (!hasShape(NAMES, columns)) return undefined;
      const { object } = step.config;
      const isStream = typeof object === 'object' && object !== null && 'stream' in object;
      return [...columns, ...(isStream ? CDC_COLUMNS : [])].map((name) => ({ name }));
    }
    if (step.type === 'transform_code' && hasShape(NAMED, outputSchema)) return outputSchema;
    if (step.type === 'route' || step.type === 'transform_code') {
      const { input } = inputsOf(step, this.#loads);
      return input === undefined ? undefined : this.columnsOf(input);
    }
    if (step.type !== 'transform_sql' || !recipeOf(step.config)) return undefined;
    const compiled = this.compile(step, '');
    return compiled?.issues.length === 0 ? compiled.tables.at(-1)!.columns : undefined;
  }
}
