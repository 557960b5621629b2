import { CommandError, EXIT } from '../../exit-codes.ts';
import { yamlBelow } from '../entries.ts';
import { Names, slugOf } from '../names.ts';
import { type Report, Untranslatable } from '../report.ts';
import type { SourceFile } from '../source-file.ts';
import type { Definition, Target, Translator } from '../translation.ts';
import { listOf, type Members, membersOf, present, textOf } from '../values.ts';
import { type Columns, lookOf } from './charts.ts';
import { dashboardFilters, type FilteredCard } from './filters.ts';
import { identifier, type Statement, statementOf } from './mbql.ts';
import { nativeStatement } from './native.ts';
import { type Question, questionOf } from './normalize.ts';

/** Questions become saved queries, and dashboards dashboards. */
export const translateMetabase: Translator = async (folder, target, report) => {
  const files = await yamlBelow(folder, report);
  const objects = files.flatMap((file) => objectOf(file));
  if (objects.length === 0)
    throw new CommandError(EXIT.usage, `${folder} has no files exported by Metabase.`, 'PROJECT_MISSING');
  return new MetabaseTranslation(objects, target, report).translate();
};

interface MetabaseObject {
  model: string;
  id: string;
  members: Members;
  file: SourceFile;
}

function objectOf(file: SourceFile): MetabaseObject[] {
  const members = membersOf(file.value);
  const meta = membersOf(listOf(members['serdes/meta']).at(-1));
  const [model, id] = [textOf(meta.model), textOf(members.entity_id) ?? textOf(meta.id)];
  return model === undefined || id === undefined ? [] : [{ model, id, members, file }];
}

const NOT_CONTENT = new Set([
  'Collection',
  'Database',
  'Schema',
  'Table',
  'Field',
  'FieldValues',
  'Setting',
  'NativeQuerySnippet',
]);

type Made = Columns & Pick<Statement, 'sql' | 'columnFor'> & { params: Members[] };

class MetabaseTranslation {
  readonly #objects: readonly MetabaseObject[];
  readonly #target: Target;
  readonly #report: Report;
  readonly #questions = new Map<string, { key: string; columns: Made; card: MetabaseObject }>();
  readonly #underWay = new Set<string>();

  constructor(objects: readonly MetabaseObject[], target: Target, report: Report) {
    this.#objects = objects.filter(({ members }) => members.archived !== true);
    this.#target = target;
    this.#report = report;
    for (const { file, id } of objects.filter(({ members }) => members.archived === true))
      report.unmapped(file.placeOf([]), `object ${id}`, 'It is archived.');
  }

  translate(): Definition[] {
    const names = { query: new Names(), dashboard: new Names() };
    const titles = new Names(200, ' ');
    const queries = this.#of('Card').flatMap((card) => this.#query(card, names.query, titles));
    const boardTitles = new Names(200, ' ');
    const dashboards = this.#of('Dashboard').flatMap((board) => this.#dashboard(board, names.dashboard, boardTitles));
    for (const { model, file, members } of this.#objects) {
      if (model === 'Card' || model === 'Dashboard' || NOT_CONTENT.has(model)) continue;
      this.#report.unmapped(
        file.placeOf([]),
        `${model} ${textOf(members.name) ?? ''}`.trim(),
        'It has no counterpart.',
      );
    }
    return [...queries, ...dashboards];
  }

  #of = (model: string): MetabaseObject[] => this.#objects.filter((object) => object.model === model);

  #query(card: MetabaseObject, keys: Names, titles: Names): Definition[] {
    const { members, file } = card;
    const name = textOf(members.name) ?? 'Untitled';
    const made = this.#report.attempt(file.placeOf([]), `question ${name}`, (checks) => {
      const question = questionOf(members.dataset_query);
      this.#assertDatabase(question);
      return this.#statement(card, checks);
    });
    if (!made) return [];
    const key = keys.free(slugOf(name));
    this.#questions.set(card.id, { key, columns: made, card });
    const definition = {
      name: titles.free(name),
      description: textOf(members.description)?.slice(0, 2000),
      folder: this.#folderOf(members.collection_id),
      source: this.#target.source === 'datasets' ? undefined : this.#target.source,
      params: made.params.length > 0 ? made.params : undefined,
      sql: made.sql,
    };
    return [{ kind: 'query', key, members: present(definition) }];
  }

  /** Statements are for one source; those of other databases would read other tables of the same names. */
  #assertDatabase({ database }: Question): void {
    const { database: wanted } = this.#target;
    const all = new Set(
      this.#of('Card').flatMap(({ members }) => textOf(membersOf(members.dataset_query).database) ?? []),
    );
    if (wanted === undefined && all.size > 1)
      throw new Untranslatable(`The questions query ${all.size} databases; choose one with --database.`);
    if (wanted !== undefined && database !== wanted) throw new Untranslatable(`It queries the database "${database}".`);
  }

  #statement(card: MetabaseObject, checks: string[]): Made {
    if (this.#underWay.has(card.id)) throw new Untranslatable('It refers to itself.');
    this.#underWay.add(card.id);
    try {
      const question = questionOf(card.members.dataset_query);
      if (question.native) return this.#native(question.native, checks);
      const sources = {
        checks,
        table: (path: readonly unknown[]) => this.#tableOf(path),
        question: (id: string) => this.#questionOf(id, checks),
      };
      return { ...statementOf(question.query!, sources), params: [] };
    } finally {
      this.#underWay.delete(card.id);
    }
  }

  #native(native: { sql: string; tags: Members }, checks: string[]): Made {
    const snippets = new Map(
      this.#of('NativeQuerySnippet').map(({ members }) => [textOf(members.name), textOf(members.content)]),
    );
    checks.push('Its SQL is copied unchanged: check the names of its tables and the dialect.');
    const made = nativeStatement(native, {
      snippet: (name) => snippets.get(name),
      question: (id) => this.#questionOf(id, checks),
    });
    const columnFor = () => {
      throw new Untranslatable('It filters a column of a statement.');
    };
    return { ...made, dimensions: [], metrics: [], columnFor };
  }

  /** The statement of a question that another one asks. */
  #questionOf(id: string, checks: string[]): string {
    const card = this.#of('Card').find((each) => each.id === id);
    if (!card) throw new Untranslatable(`The question ${id} that it builds on is not in the files.`);
    const { sql, params } = this.#statement(card, checks);
    if (params.length > 0) throw new Untranslatable('It builds on a question with parameters.');
    return sql;
  }

  /** Datasets have no schema. */
  #tableOf(path: readonly unknown[]): string {
    const [table, schema] = [path.at(-1), this.#target.schema ?? (path.length > 2 ? path.at(-2) : undefined)];
    const name = identifier(String(table));
    return this.#target.source === 'datasets' || typeof schema !== 'string' ? name : `${identifier(schema)}.${name}`;
  }

  /** The names of the collections down to this one. */
  #folderOf(id: unknown): string | undefined {
    const names: string[] = [];
    const seen = new Set<unknown>();
    for (let next = id; typeof next === 'string' && !seen.has(next); ) {
      seen.add(next);
      const found = this.#of('Collection').find((each) => each.id === next);
      if (!found) break;
      names.unshift((textOf(found.members.name) ?? '').replaceAll('/', '-').trim());
      next = found.members.parent_id;
    }
    const path = names.filter(Boolean).join('/').slice(0, 500);
    return path === '' ? undefined : path;
  }

  #dashboard(board: MetabaseObject, keys: Names, titles: Names): Definition[] {
    const { members, file } = board;
    const name = textOf(members.name) ?? 'Untitled';
    const tabs = listOf(members.tabs).map(membersOf);
    const pages = tabs.map((tab, index) => ({
      id: `page-${index + 1}`,
      name: textOf(tab.name) ?? `Page ${index + 1}`,
      tab,
    }));
    const list = 'dashcards' in members ? 'dashcards' : 'ordered_cards';
    const filtered: FilteredCard[] = [];
    const cards = listOf(members[list]).flatMap((value, index) => {
      const card = membersOf(value);
      const subject = `card ${index + 1} of dashboard ${name}`;
      const place = file.placeOf([list, index]);
      const made = this.#report.attempt(place, subject, (checks) => this.#card(card, index, checks));
      if (!made) return [];
      filtered.push(...this.#filtered(card, made, { subject, place }));
      const [tab] = [card.dashboard_tab_id].flat().slice(-1);
      const page = pages.find((each) => each.tab.entity_id !== undefined && each.tab.entity_id === tab);
      return [{ ...made, ...(page && { pageId: page.id }) }];
    });
    const filters = dashboardFilters(
      {
        name,
        parameters: listOf(members.parameters),
        placeOf: (index) => file.placeOf(['parameters', index]),
        cards: filtered,
      },
      this.#report,
    );
    const definition = {
      name: titles.free(name),
      description: textOf(members.description)?.slice(0, 2000),
      version: 1,
      pages: pages.length > 0 ? pages.map(({ id, name: title }) => ({ id, name: title })) : undefined,
      cards,
      filters: filters.length > 0 ? filters : undefined,
    };
    return [{ kind: 'dashboard', key: keys.free(slugOf(name)), members: present(definition) }];
  }

  /** What filters need to know of a card; texts have no rows. */
  #filtered(card: Members, made: Members, { subject, place }: Pick<FilteredCard, 'subject' | 'place'>): FilteredCard[] {
    const question = String(card.card_id);
    const columns = this.#questions.get(question)?.columns;
    const chart = membersOf(made.chartSpec);
    if (!columns || made.chartSpec === undefined) return [];
    const mappings = listOf(card.parameter_mappings).map(membersOf);
    const { columnFor, params } = columns;
    return [
      { id: String(made.id), subject, place, mappings, question, columnFor, params, query: membersOf(chart.query) },
    ];
  }

  #card(card: Members, index: number, checks: string[]): Members {
    const settings = membersOf(card.visualization_settings);
    const place = { id: `card-${index + 1}`, position: positionOf(card) };
    const virtual = textOf(membersOf(settings.virtual_card).display);
    if (virtual === 'text' || virtual === 'heading') {
      const text = textOf(settings.text) ?? '';
      if (/\{\{.*\}\}/.test(text)) checks.push('Values of filters in texts have no counterpart.');
      return { ...place, cardType: 'text', textContent: virtual === 'heading' ? `## ${text}` : text };
    }
    if (virtual !== undefined) throw new Untranslatable(`Cards of the kind "${virtual}" have no counterpart.`);
    if (listOf(card.series).length > 0) checks.push('Only the first of its questions is shown.');
    const question = this.#questions.get(String(card.card_id));
    if (!question) throw new Untranslatable('Its question was not translated.');
    const own = question.card.members;
    const all = { ...membersOf(own.visualization_settings), ...settings };
    const { look, reason } = lookOf(textOf(own.display) ?? 'table', all, question.columns);
    if (reason !== undefined) checks.push(reason);
    const { cardType, mark, encoding } = look;
    return present({
      ...place,
      cardType,
      title: (textOf(settings['card.title']) ?? textOf(own.name))?.slice(0, 200),
      chartSpec: present({
        version: 1,
        query: { source: { kind: 'savedQuery', id: `@query/${question.key}` } },
        mark,
        encoding,
      }),
    });
  }
}

const COLUMNS = 24;

/** Both have a grid of 24 columns; exports of Metabase before version 47 have 18, which fit as well. */
function positionOf(card: Members): Members {
  const number = (names: string[], least: number, most: number) => {
    const value = Number(names.map((name) => card[name]).find((each) => each !== undefined && each !== null) ?? least);
    return Math.min(Math.max(Math.trunc(value) || least, least), most);
  };
  const x = number(['col'], 0, COLUMNS - 1);
  return {
    x,
    y: number(['row'], 0, 100_000),
    w: Math.min(number(['size_x', 'sizeX'], 1, COLUMNS), COLUMNS - x),
    h: number(['size_y', 'sizeY'], 1, 100),
  };
}
