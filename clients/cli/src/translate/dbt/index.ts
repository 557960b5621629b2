import type { Entry } from '../entries.ts';
import { Model, type Table } from '../model.ts';
import { Names, quoted, slugOf } from '../names.ts';
import { type Report, Untranslatable } from '../report.ts';
import { type Scope, translateSql } from '../sql.ts';
import type { Definition, Target, Translator } from '../translation.ts';
import { type Members, membersOf, present, textOf } from '../values.ts';
import { aggregateOf, GRAINS, type MetricExpression, metricOf, rowScope, type Semantics } from './metrics.ts';
import { type DbtProject, descriptionOf, readDbtProject } from './project.ts';
import { exprOf, type SemanticModel, semanticModelsOf } from './semantic-models.ts';
import { tableFor } from './tables.ts';
import { qualityTests } from './tests.ts';

/** Semantic models and metrics become a model with measures and metrics, and tests data-quality tests. */
export const translateDbt: Translator = async (folder, target, report) => {
  const project = await readDbtProject(folder, report);
  const model = new Model(slugOf(project.name), project.name, target.source);
  const metrics = new DbtTranslation(project, model, target, report).translate();
  const { members } = model;
  return [
    ...(members ? [{ kind: 'model', key: model.key, members }] : []),
    ...metrics,
    ...qualityTests({ project, source: target.source, schema: target.schema, report }),
  ];
};

interface ModelTable {
  semantic: SemanticModel;
  table: Table;
}

/** A metric of the files. */
interface Pending {
  entry: Entry;
  make(checks: string[]): MetricExpression;
}

interface Made {
  metric: MetricExpression;
  /** The name of the measure that it became. */
  measure: string;
  description: string | undefined;
}

class DbtTranslation {
  readonly #project: DbtProject;
  readonly #model: Model;
  readonly #target: Target;
  readonly #report: Report;
  readonly #tables: ModelTable[] = [];
  readonly #pending = new Map<string, Pending>();
  /** What became of each metric. */
  readonly #metrics = new Map<string, Made | undefined>();
  readonly #underWay = new Set<string>();

  constructor(project: DbtProject, model: Model, target: Target, report: Report) {
    this.#project = project;
    this.#model = model;
    this.#target = target;
    this.#report = report;
  }

  translate(): Definition[] {
    for (const semantic of semanticModelsOf(this.#project)) this.#addTable(semantic);
    for (const each of this.#tables) this.#addFields(each);
    this.#addRelationships();
    const made = this.#addMetrics();
    this.#noteOthers();
    return made;
  }

  #addTable(semantic: SemanticModel): void {
    const { name, entry, relation, relationEntry } = semantic;
    this.#report.attempt(entry.at(), `semantic model ${name}`, () => {
      if (name === '') throw new Untranslatable('It has no name.');
      if (relation === undefined) throw new Untranslatable('It refers to no model of the project.');
      const table = tableFor(name, relationEntry, relation, this.#target);
      table.description = descriptionOf(entry, `semantic model ${name}`, this.#report);
      this.#model.addTable(table);
      this.#tables.push({ semantic, table });
    });
  }

  #addFields({ semantic, table }: ModelTable): void {
    for (const entity of semantic.entities) {
      if (entity.members.virtual === true) continue;
      const name = textOf(entity.members.name) ?? '';
      const made = this.#report.attempt(entity.at(), `entity ${semantic.name}.${name}`, (checks) => {
        const { column } = translateSql(exprOf(entity), rowScope(table, checks));
        if (column === undefined)
          throw new Untranslatable('Tables can be joined only by columns, and it has an expression.');
        table.addColumn({
          name: column,
          description: descriptionOf(entity, `entity ${name}`, this.#report),
          isHidden: undefined,
        });
        return column;
      });
      if (made !== undefined && isUnique(entity)) table.key ??= made;
    }
    for (const dimension of semantic.dimensions) this.#addDimension(semantic, table, dimension);
  }

  #addDimension(semantic: SemanticModel, table: Table, dimension: Entry): void {
    const name = textOf(dimension.members.name) ?? '';
    const subject = `dimension ${semantic.name}.${name}`;
    this.#report.attempt(dimension.at(), subject, (checks) => {
      if (dimension.members.validity_params !== undefined)
        throw new Untranslatable('Slowly changing dimensions (SCD) have no counterpart.');
      const description = descriptionOf(dimension, subject, this.#report);
      const isColumn = /^\w+$/.test(exprOf(dimension)) || /^"[^"]+"$/.test(exprOf(dimension));
      if (isColumn) {
        table.addColumn({ name, column: exprOf(dimension).replaceAll('"', ''), description, isHidden: undefined });
        return;
      }
      const made = translateSql(exprOf(dimension), rowScope(table, checks));
      if (made.type === 'unknown') throw new Untranslatable('The type of its expression is unknown.');
      table.add({ name, type: made.type, description, expression: made.text });
    });
  }

  /** Two tables are joined by an entity that both have, if it identifies the rows of one of them. */
  #addRelationships(): void {
    for (const one of this.#tables) {
      for (const entity of one.semantic.entities.filter(isUnique)) {
        if (entity.members.virtual === true) continue;
        for (const many of this.#tables) {
          const other = many.semantic.entities.find(({ members }) => members.name === entity.members.name);
          if (many === one || !other || other.members.virtual === true) continue;
          this.#report.attempt(other.at(), `join of ${many.table.alias} and ${one.table.alias}`, () => {
            this.#model.addRelationship({
              from: { table: one.table, column: exprOf(entity) },
              to: { table: many.table, column: exprOf(other) },
              cardinality: isUnique(other) ? '1:1' : '1:N',
            });
          });
        }
      }
    }
  }

  #addMetrics(): Definition[] {
    const keys = new Names();
    for (const { semantic, table } of this.#tables) {
      const time = (entry: Entry) => this.#timeFieldOf(entry, semantic, table);
      for (const entry of semantic.metrics) {
        const isSimple = (textOf(entry.members.type) ?? 'simple') === 'simple';
        const simple = (checks: string[]) => this.#simple(entry, table, time(entry), checks);
        this.#expect(entry, isSimple ? simple : (checks) => metricOf(entry, this.#semantics, checks));
      }
      for (const entry of semantic.measures.filter(({ members }) => members.create_metric === true))
        this.#expect(entry, (checks) => aggregateOf(entry, table, time(entry), checks));
    }
    for (const entry of this.#project.metrics)
      this.#expect(entry, (checks) => metricOf(entry, this.#semantics, checks));
    return [...this.#pending].flatMap(([key, pending]) => this.#definitionOf(key, pending, keys));
  }

  #expect(entry: Entry, make: Pending['make']): void {
    const name = textOf(entry.members.name) ?? '';
    this.#report.attempt(entry.at(), `metric ${name}`, () => {
      if (this.#pending.has(name.toLowerCase())) throw new Untranslatable('There is another metric with this name.');
      this.#pending.set(name.toLowerCase(), { entry, make });
    });
  }

  /** A simple metric of the newer spelling is an aggregate with filters. */
  #simple(entry: Entry, table: Table, timeField: string | undefined, checks: string[]): MetricExpression {
    const aggregate = aggregateOf(entry, table, timeField, checks);
    const semantics: Semantics = { ...this.#semantics, measure: () => aggregate };
    return metricOf({ ...entry, members: { ...entry.members, type: 'simple', measure: 'own' } }, semantics, checks);
  }

  /** Adds the measure of a metric when it is first needed, which may be for another one. */
  #make(key: string, { entry, make }: Pending): Made | undefined {
    if (this.#metrics.has(key)) return this.#metrics.get(key);
    if (this.#underWay.has(key)) throw new Untranslatable(`The metric "${key}" refers to itself.`);
    this.#underWay.add(key);
    try {
      const name = textOf(entry.members.name) ?? '';
      const subject = `metric ${name}`;
      const made = this.#report.attempt(entry.at(), subject, (checks) => {
        const metric = make(checks);
        const description = descriptionOf(entry, subject, this.#report);
        const label = textOf(entry.members.label) ?? name;
        return {
          metric,
          description,
          measure: this.#model.addMeasure({ name: label, expression: metric.text([]), description }),
        };
      });
      this.#metrics.set(key, made);
      return made;
    } finally {
      this.#underWay.delete(key);
    }
  }

  #definitionOf(key: string, pending: Pending, keys: Names): Definition[] {
    const { entry } = pending;
    const made = this.#make(key, pending);
    if (!made) return [];
    const { metric, measure, description } = made;
    const name = textOf(entry.members.name) ?? '';
    if (metric.timeFields.size !== 1) {
      const reason =
        metric.timeFields.size === 0 ? 'It has no time dimension' : 'Its parts have different time dimensions';
      this.#report.check(entry.at(), `metric ${name}`, `${reason}, so it became a measure and not a metric.`);
      return [];
    }
    const members = {
      name: measure,
      description,
      model: this.#model.key,
      measure,
      timeField: [...metric.timeFields][0],
      grain: grainOf(entry.members, metric.grains),
    };
    return [{ kind: 'metric', key: keys.free(slugOf(name)), members: present(members) }];
  }

  #timeFieldOf(entry: Entry, semantic: SemanticModel, table: Table): string | undefined {
    const name = textOf(entry.members.agg_time_dimension) ?? semantic.timeDimension;
    return name === undefined ? undefined : table.field(name)?.text.slice(1, -1);
  }

  get #semantics(): Semantics {
    return {
      condition: (filter, checks) => this.#condition(filter, checks),
      metric: (name) => this.#metric(name),
      measure: (name, checks) => this.#measure(name, checks),
    };
  }

  #measure(name: string, checks: string[]): MetricExpression {
    for (const { semantic, table } of this.#tables) {
      const entry = semantic.measures.find(({ members }) => members.name === name);
      if (entry) return aggregateOf(entry, table, this.#timeFieldOf(entry, semantic, table), checks);
    }
    throw new Untranslatable(`There is no measure "${name}".`);
  }

  /** A metric in another one: by the name of its measure, unless it gets more filters there. */
  #metric(name: string): MetricExpression {
    const pending = this.#pending.get(name.toLowerCase());
    const made = pending && this.#make(name.toLowerCase(), pending);
    if (!made) throw new Untranslatable(`The metric "${name}" is not in the model.`);
    const { metric, measure } = made;
    return { ...metric, text: (filters) => (filters.length === 0 ? `{${quoted(measure)}}` : metric.text(filters)) };
  }

  /** A condition with fields such as `{{ Dimension('order__is_food_order') }}`. */
  #condition(filter: string, checks: string[]): string {
    const scope: Scope = {
      checks,
      column(name) {
        throw new Untranslatable(`"${name}" is used in a filter without its entity.`);
      },
      reference: (content, column) => {
        const [, kind, name, grain] = FIELD.exec(content) ?? [];
        if (!kind || !name || column !== undefined)
          throw new Untranslatable(`"{{ ${content} }}" has no counterpart in filters.`);
        const field = this.#fieldOf(name, kind === 'Entity');
        if (grain === undefined) return field;
        if (!GRAINS.has(grain.toLowerCase())) throw new Untranslatable(`The grain ${grain} has no counterpart.`);
        return { text: `DATE_TRUNC("${grain.toLowerCase()}", ${field.text})`, type: 'date', isAtom: true };
      },
    };
    return translateSql(filter, scope).text;
  }

  #fieldOf(path: string, isEntity: boolean) {
    const segments = path.split('__');
    const name = segments.at(-1)!;
    const entity = isEntity ? name : segments.at(-2);
    const owner = this.#tables.find(({ semantic }) =>
      semantic.entities.some((each) => isUnique(each) && each.members.name === entity),
    );
    const own = owner?.semantic.entities.find(({ members }) => members.name === entity);
    const field = isEntity ? own && owner?.table.field(exprOf(own)) : owner?.table.field(name);
    if (!field) throw new Untranslatable(`"${path}" is not a field of the model.`);
    return field;
  }

  #noteOthers(): void {
    const used = JSON.stringify(this.#project.metrics.map(({ members }) => members));
    for (const { semantic } of this.#tables) {
      for (const { members, at } of semantic.measures) {
        const name = textOf(members.name) ?? '';
        if (members.create_metric === true || used.includes(JSON.stringify(name))) continue;
        this.#report.unmapped(at(), `measure ${semantic.name}.${name}`, 'No metric uses it.');
      }
    }
    for (const { members, at } of this.#project.savedQueries)
      this.#report.unmapped(
        at(),
        `saved query ${textOf(members.name)}`,
        'Ask the model, or make a dashboard of its metrics.',
      );
    for (const { members, at } of this.#project.exposures)
      this.#report.unmapped(
        at(),
        `exposure ${textOf(members.name)}`,
        'What uses a model is found by the platform itself.',
      );
  }
}

const FIELD = /^(Dimension|TimeDimension|Entity)\(\s*['"]([\w]+)['"]\s*(?:,\s*['"](\w+)['"]\s*)?\)$/;

const isUnique = ({ members }: Entry): boolean =>
  ['primary', 'unique', 'natural'].includes(String(members.type).toLowerCase());

/** Months, unless the metric has a grain of its own or compares shorter periods. */
function grainOf(members: Members, grains: ReadonlySet<string>): string | undefined {
  const own = textOf(members.time_granularity ?? membersOf(members.config).time_granularity)?.toLowerCase();
  if (grains.size === 1) return [...grains][0];
  if (grains.size > 1) return 'day';
  return own !== undefined && GRAINS.has(own) ? own : undefined;
}
