import {
  analyze,
  call,
  expressionIssues,
  fieldReference,
  logic,
  measureReference,
  readsOf,
  type Scope,
  type Typed,
  type TypedCall,
  textConstant,
} from '../../../data/expressions/index.ts';
import type { Labelled, TimeDimension } from '../../../data/semantics/question.ts';
import { AppError, type Issue } from '../../../platform/errors/app-error.ts';
import { type TimeGrain, timeUnit } from '../../../platform/schedule/fiscal-calendar.ts';
import { type FiscalCalendar, isFiscal } from '../../../platform/schedule/fiscal-years.ts';
import { isMissing, type Measure, type ModelDefinition, type ModelField, modelScopeWithout } from '../models/index.ts';
import { type Clock, conditionOn } from './conditions.ts';
import type { QuestionInput } from './schemas.ts';

type DimensionInput = QuestionInput['dimensions'][number];
type MeasureInput = QuestionInput['measures'][number];
type FilterInput = QuestionInput['filters'][number];

/** A column of the answer. */
export interface AnswerColumn {
  name: string;
  role: 'dimension' | 'measure';
  type: string;
  format: ModelField['format'] | Measure['format'];
  fieldId?: string;
  measureId?: string;
  grain?: TimeGrain;
  /** Of a fiscal grain: the calendar of the model, if it has one. */
  calendar?: FiscalCalendar;
  /** A measure that is only sorted and filtered by. The statement has it; the answer does not. */
  hidden?: true;
}

export interface BoundColumn extends Labelled {
  column: AnswerColumn;
}

const AGGREGATES = {
  sum: { function: 'SUM', label: 'Sum' },
  count: { function: 'COUNT', label: 'Count' },
  count_distinct: { function: 'COUNT_DISTINCT', label: 'Distinct count' },
  avg: { function: 'AVG', label: 'Average' },
  min: { function: 'MIN', label: 'Minimum' },
  max: { function: 'MAX', label: 'Maximum' },
} as const;

/** Finds what a question names, and collects what is wrong with it. */
export class Binder {
  readonly #definition: ModelDefinition;
  readonly #clock: Clock;
  readonly #scope: Scope;
  readonly #issues: Issue[] = [];
  readonly #warnings = new Set<string>();

  constructor(definition: ModelDefinition, clock: Clock, denied: ReadonlySet<string>) {
    this.#definition = definition;
    this.#clock = clock;
    this.#scope = modelScopeWithout(definition, denied);
  }

  get warnings(): string[] {
    return [...this.#warnings];
  }

  report(pointer: string, code: string, message: string): undefined {
    this.#issues.push({ pointer, code, message });
  }

  throwIssues(): void {
    if (this.#issues.length > 0) throw new AppError('VALIDATION_FAILED', { errors: this.#issues });
  }

  dimension(input: DimensionInput, pointer: string): BoundColumn | undefined {
    const { fieldId, expression, label } = input;
    if (!this.#isOneOf(input, ['fieldId', 'expression'], pointer)) return undefined;
    if (expression === undefined) {
      const field = this.#field(fieldId!, pointer);
      return field && this.#fieldDimension(field, input, pointer);
    }
    for (const name of ['grain', 'bin'] as const)
      if (input[name]) return this.report(`${pointer}/${name}`, 'CONFLICT', 'needs a field instead of an expression');
    return this.#expression('dimension', { text: expression, label }, pointer);
  }

  /** A field of the model whose id is known; `pointer` is where the request names it. */
  column(fieldId: string, pointer: string): BoundColumn | undefined {
    const field = this.#definition.fields.get(fieldId)!;
    const { name, format } = field;
    const tree = this.#analysed('row', this.#reference(field), pointer);
    return tree && columnOf(tree, { role: 'dimension', fieldId, name, format });
  }

  #fieldDimension(field: ModelField, { grain, bin, label }: DimensionInput, pointer: string): BoundColumn | undefined {
    if (grain && bin) return this.report(`${pointer}/bin`, 'CONFLICT', 'cannot be given together with grain');
    const reference = this.#reference(field);
    const base = { role: 'dimension', fieldId: field.id } as const;
    if (grain) {
      const tree = this.#period(reference, grain, `${pointer}/grain`);
      const name = label ?? `${field.name} (${grain})`;
      const { calendar } = this.#definition.model;
      const ofFiscal = isFiscal(grain) && calendar ? { calendar } : {};
      return tree && columnOf(tree, { ...base, name, format: null, grain, ...ofFiscal });
    }
    const name = label ?? field.name;
    if (bin) {
      const tree = this.#analysed('row', binText(reference, field.dataType, bin), `${pointer}/bin`);
      return tree && columnOf(tree, { ...base, name, format: field.format });
    }
    const tree = this.#analysed('row', reference, `${pointer}/fieldId`);
    return tree && columnOf(tree, { ...base, name, format: field.format });
  }

  #period(reference: string, grain: TimeGrain, pointer: string): Typed | undefined {
    const tree = this.#analysed('row', `DATE_TRUNC("${isFiscal(grain) ? 'day' : grain}", ${reference})`, pointer);
    if (!tree || !isFiscal(grain)) return tree;
    const unit = timeUnit(grain, this.#definition.model.calendar);
    return call('DATE_TRUNC', [textConstant(unit), (tree as TypedCall).args[1]!], 'date');
  }

  measure(input: MeasureInput, pointer: string): BoundColumn | undefined {
    const { measureId, fieldId, expression, label, aggregation } = input;
    if (!this.#isOneOf(input, ['measureId', 'fieldId', 'expression'], pointer)) return undefined;
    if (aggregation && fieldId === undefined) return this.report(`${pointer}/aggregation`, 'CONFLICT', 'needs a field');
    if (expression !== undefined) return this.#expression('measure', { text: expression, label }, pointer);
    if (measureId !== undefined) return this.#measureOf(measureId, label, pointer);
    const field = this.#field(fieldId!, pointer);
    if (!field) return undefined;
    const chosen = aggregation ?? field.aggregation;
    if (chosen === 'none')
      return this.report(`${pointer}/aggregation`, 'REQUIRED', 'is required, because the field has none');
    const aggregate = AGGREGATES[chosen];
    const tree = this.#analysed(
      'measure',
      `${aggregate.function}(${this.#reference(field)})`,
      `${pointer}/aggregation`,
    );
    if (!tree) return undefined;
    const name = label ?? `${aggregate.label} of ${field.name}`;
    const format = chosen === 'count' || chosen === 'count_distinct' ? null : field.format;
    return columnOf(tree, { name, role: 'measure', format, fieldId: field.id });
  }

  filter(input: FilterInput, pointer: string): Typed | undefined {
    const { fieldId, expression, op, values, ignoreCase, anyOf } = input;
    if (!this.#isOneOf(input, ['fieldId', 'expression', 'anyOf'], pointer)) return undefined;
    if (fieldId === undefined)
      for (const name of ['op', 'ignoreCase'] as const)
        if (input[name]) return this.report(`${pointer}/${name}`, 'CONFLICT', 'needs a field');
    if (anyOf) {
      const conditions = anyOf.map((each, index) => this.filter(each, `${pointer}/anyOf/${index}`));
      return conditions.includes(undefined) ? undefined : logic('or', conditions as Typed[]);
    }
    if (expression !== undefined) {
      const tree = this.#analysed('row', expression, `${pointer}/expression`, expression);
      if (!tree || tree.type === 'boolean') return tree;
      return this.report(`${pointer}/expression`, 'TYPE', 'must be a condition, which is true or false');
    }
    const field = this.#field(fieldId!, pointer);
    if (!field) return undefined;
    if (!op) return this.report(`${pointer}/op`, 'REQUIRED', 'is required with a field');
    const tree = this.#analysed('row', this.#reference(field), `${pointer}/fieldId`);
    return tree && this.condition(tree, { op, values, ignoreCase }, pointer);
  }

  condition(value: Typed, condition: Parameters<typeof conditionOn>[1], pointer: string): Typed | undefined {
    const made = conditionOn(value, condition, { ...this.#clock, calendar: this.#definition.model.calendar });
    if (!('issues' in made)) return made;
    for (const issue of made.issues) this.report(`${pointer}${issue.pointer}`, issue.code, issue.message);
    return undefined;
  }

  /** Columns are found by their names. */
  checkNames(columns: readonly (BoundColumn | undefined)[], pointerOf: (index: number) => string): void {
    const known = new Set<string>();
    for (const [index, column] of columns.entries()) {
      if (!column) continue;
      if (known.has(column.label))
        this.report(
          `${pointerOf(index)}/label`,
          'CONFLICT',
          'is already the name of another column; choose a different label',
        );
      known.add(column.label);
    }
  }

  /** The dimension of time: the dense one, the one with the label, or the first with a grain. */
  timeOf(
    inputs: QuestionInput['dimensions'],
    bound: readonly (BoundColumn | undefined)[],
    wanted?: string,
  ): TimeDimension | undefined {
    const dense = inputs.flatMap(({ fill }, index) => (fill ? [index] : []));
    for (const index of dense) {
      if (!inputs[index]!.grain) this.report(`/dimensions/${index}/fill`, 'CONFLICT', 'needs a grain');
      else if (index !== dense[0])
        this.report(`/dimensions/${index}/fill`, 'CONFLICT', 'can be given for one dimension only');
    }
    const position =
      dense[0] ??
      inputs.findIndex(({ grain, label }) => grain !== undefined && (wanted === undefined || label === wanted));
    const [input, column] = [inputs[position], bound[position]];
    if (!input?.grain || !column || input.fieldId === undefined) return undefined;
    return {
      position,
      fieldId: input.fieldId,
      grain: timeUnit(input.grain, this.#definition.model.calendar),
      isDense: dense.length > 0,
    };
  }

  #measureOf(id: string, label: string | undefined, pointer: string): BoundColumn | undefined {
    const measure = this.#definition.measures.get(id);
    if (!measure || measure.deletedAt !== null)
      return this.report(`${pointer}/measureId`, 'UNKNOWN_MEASURE', 'is not a measure of the model');
    const tree = this.#analysed('measure', measureReference(measure.name), `${pointer}/measureId`);
    if (!tree) return undefined;
    const name = label ?? measure.name;
    const { dataType: type, format } = measure;
    return { label: name, tree, column: { name, role: 'measure', type, format, measureId: id } };
  }

  #expression(
    role: AnswerColumn['role'],
    { text, label }: { text: string; label: string | undefined },
    pointer: string,
  ): BoundColumn | undefined {
    if (label === undefined) this.report(`${pointer}/label`, 'REQUIRED', 'is required with an expression');
    const tree = this.#analysed(role === 'measure' ? 'measure' : 'row', text, `${pointer}/expression`, text);
    if (!tree || label === undefined) return undefined;
    return columnOf(tree, { name: label, role, format: null });
  }

  #field(id: string, pointer: string): ModelField | undefined {
    const field = this.#definition.fields.get(id);
    return field ?? this.report(`${pointer}/fieldId`, 'UNKNOWN_FIELD', 'is not a field of the model');
  }

  #reference({ tableId, name }: ModelField): string {
    return fieldReference(this.#definition.tables.get(tableId)!.alias, name);
  }

  #isOneOf<T extends object>(input: T, names: (keyof T & string)[], pointer: string): boolean {
    const given = names.filter((name) => input[name] !== undefined);
    if (given.length === 1) return true;
    if (given.length === 0) this.report(pointer, 'REQUIRED', `needs ${names.join(' or ')}`);
    else this.report(`${pointer}/${given[1]}`, 'CONFLICT', `cannot be given together with ${given[0]}`);
    return false;
  }

  /** `authored` is the text that the caller wrote; issues of other texts have no place in it. */
  #analysed(purpose: 'row' | 'measure', text: string, pointer: string, authored?: string): Typed | undefined {
    const { valid, diagnostics } = analyze(text, this.#scope, { purpose });
    if (!valid) {
      const issues = expressionIssues(text, diagnostics, pointer);
      for (const { position, ...issue } of issues)
        this.#issues.push(authored !== undefined && position ? { ...issue, position } : issue);
      return undefined;
    }
    for (const { severity, message } of diagnostics) if (severity === 'warning') this.#warnings.add(message);
    const missing = readsOf(valid.tree).fields.find((id) =>
      isMissing(this.#definition, this.#definition.fields.get(id)!),
    );
    if (missing === undefined) return valid.tree;
    const field = this.#definition.fields.get(missing)!;
    const message = `needs ${this.#reference(field)}, whose column "${field.sourceColumn}" is no longer in the source`;
    return this.report(pointer, 'MISSING_COLUMN', message);
  }
}

const columnOf = (tree: Typed, column: Omit<AnswerColumn, 'type'>): BoundColumn => ({
  label: column.name,
  tree,
  column: { ...column, type: tree.type },
});

/**
 * The beginning of the range of a number. Ranges of fractions begin at exact decimals, where the number is one: a float
 * of 0.3 / 0.1 is less than 3.
 */
function binText(
  reference: string,
  dataType: string,
  { width, origin = 0 }: NonNullable<DimensionInput['bin']>,
): string {
  const [step, start] = [decimal(width), decimal(origin)];
  const shifted = origin === 0 ? reference : `(${reference} - ${start})`;
  const isExact = dataType !== 'number' && !`${step}${start}`.includes('e');
  if (isExact && !(Number.isInteger(width) && Number.isInteger(origin)))
    return `(${reference} - MOD(MOD(${shifted}, ${step}) + ${step}, ${step})) / 1`;
  const binned = `FLOOR(${shifted} / ${step}) * ${step}`;
  return origin === 0 ? binned : `${binned} + ${start}`;
}

/** A number as expressions write it. */
const decimal = (value: number): string => (value < 0 ? `(${value})` : String(value)).replace('e+', 'e');
