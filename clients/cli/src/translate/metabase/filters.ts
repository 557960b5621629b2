import { Names } from '../names.ts';
import { type Report, Untranslatable } from '../report.ts';
import type { Place } from '../source-file.ts';
import { listOf, type Members, membersOf, present, textOf } from '../values.ts';
import type { Statement } from './mbql.ts';

/** A card of the dashboard that is made, which filters can reach. */
export interface FilteredCard {
  id: string;
  /** As reports call it. */
  subject: string;
  place: Place;
  /** What parameters of the dashboard do to it. */
  mappings: readonly Members[];
  /** Its question: a mapping may be of another one that is not shown. */
  question: string;
  columnFor: Statement['columnFor'];
  params: readonly Members[];
  /** The query of its chart, to which bindings are added. */
  query: Members;
}

interface Dashboard {
  name: string;
  parameters: readonly unknown[];
  placeOf(index: number): Place;
  cards: readonly FilteredCard[];
}

/** Column of the rows, or parameter of the statement, that a filter works on. */
interface Link {
  card: FilteredCard;
  on: 'column' | 'parameter';
  name: string;
}

/**
 * The filters of a dashboard. Those of Metabase choose rows before a question counts them, ours among the rows of its
 * result, so only those are taken over to which that makes no difference.
 */
export function dashboardFilters({ name: board, parameters, placeOf, cards }: Dashboard, report: Report): Members[] {
  const [fields, labels] = [new Names(200, '_'), new Names(200, ' ')];
  return parameters.flatMap((value, index) => {
    const parameter = membersOf(value);
    const name = textOf(parameter.name) ?? textOf(parameter.slug) ?? `${index + 1}`;
    const made = report.attempt(placeOf(index), `filter ${name} of dashboard ${board}`, (checks) => {
      const kind = kindOf(parameter);
      const links = cards.flatMap((card) => linksOf(card, parameter, { name, kind, report }));
      if (links.length === 0) throw new Untranslatable('It filters no card that was translated.');
      const fieldId = fields.free(links[0]!.name);
      for (const link of links) bind(link, fieldId);
      const type = kind.type(
        parameter,
        links.every(({ on }) => on === 'column'),
      );
      noteOthers(parameter, checks);
      return present({
        label: labels.free(name),
        fieldId,
        filterType: type,
        defaultValue: defaultOf(parameter, type, checks),
        linkedCardIds: links.map(({ card }) => card.id),
      });
    });
    return made ? [made] : [];
  });
}

interface Context {
  name: string;
  kind: Kind;
  report: Report;
}

function linksOf(card: FilteredCard, parameter: Members, { name, kind, report }: Context): Link[] {
  const own = card.mappings.filter(
    (each) => each.parameter_id === parameter.id && (each.card_id ?? card.question) === card.question,
  );
  const links = own.flatMap(({ target }) => {
    const link = report.attempt(card.place, `filter ${name} of ${card.subject}`, () => linkOf(card, target, kind));
    return link ? [link] : [];
  });
  return links.slice(0, 1);
}

function linkOf(card: FilteredCard, target: unknown, { isValue }: Kind): Link {
  const [kind, clause, options] = listOf(target);
  if (kind === 'variable') {
    const [, tag] = listOf(clause);
    const found = card.params.find(({ name }) => name === tag);
    if (!found) throw new Untranslatable(`Its question has no variable "${String(tag)}".`);
    if (!isValue) throw new Untranslatable('A variable takes one value.');
    return { card, on: 'parameter', name: String(tag) };
  }
  if (kind !== 'dimension') throw new Untranslatable('What it filters is unknown.');
  const stage = membersOf(options)['stage-number'];
  return { card, on: 'column', name: card.columnFor(clause, typeof stage === 'number' ? stage : undefined) };
}

/** Without a binding, a filter sets the parameter with the name of its field, or chooses by that column. */
function bind({ card: { query, params }, on, name }: Link, fieldId: string): void {
  const isParameter = params.some((each) => each.name === fieldId);
  if (name === fieldId && isParameter === (on === 'parameter')) return;
  query.bindings = [...listOf(query.bindings), { fieldId, [on]: name }];
}

interface Kind {
  type(parameter: Members, onColumns: boolean): string;
  /** Whether it may stand for one value. */
  isValue?: boolean;
}

const choice: Kind = {
  type: ({ isMultiSelect }, onColumns) => (onColumns && isMultiSelect !== false ? 'multi_select' : 'select'),
  isValue: true,
};

const KINDS: Readonly<Record<string, Kind>> = {
  'string/=': choice,
  'number/=': choice,
  category: choice,
  id: choice,
  'string/contains': { type: () => 'text' },
  'boolean/=': { type: () => 'boolean', isValue: true },
  'number/between': { type: () => 'number_range' },
  'date/range': { type: () => 'date_range' },
  'date/all-options': { type: () => 'date_range' },
};

function kindOf({ type }: Members): Kind {
  const kind = KINDS[String(type)];
  if (!kind) throw new Untranslatable(`Filters of the type "${String(type)}" have no counterpart.`);
  return kind;
}

function noteOthers(parameter: Members, checks: string[]): void {
  if (parameter.type === 'date/all-options')
    checks.push('Readers choose a range of dates; relative ranges, such as the last 30 days, have no counterpart.');
  if (listOf(parameter.filteringParameters).length > 0) checks.push('Its choices do not depend on other filters.');
  if (textOf(parameter.values_source_type) !== undefined)
    checks.push('Its list of choices is not taken over: readers choose among the values of the column.');
  if (parameter.required === true) checks.push('Readers can clear it.');
}

/** The default as text of JSON; what has no counterpart is to be checked. */
function defaultOf({ default: value }: Members, type: string, checks: string[]): string | undefined {
  const values = Array.isArray(value) ? (value as unknown[]) : value === undefined || value === null ? [] : [value];
  if (values.length === 0) return undefined;
  const found = DEFAULTS[type]?.(values);
  if (found === undefined) checks.push(`Its default ${JSON.stringify(value)} has no counterpart.`);
  return found === undefined ? undefined : JSON.stringify(found);
}

const isScalar = (value: unknown): boolean => ['string', 'number', 'boolean'].includes(typeof value);
const one = (of: string) => (values: readonly unknown[]) =>
  values.length === 1 && typeof values[0] === of ? values[0] : undefined;

const DEFAULTS: Readonly<Record<string, (values: readonly unknown[]) => unknown>> = {
  multi_select: (values) => (values.every(isScalar) ? values : undefined),
  select: (values) => (values.length === 1 && isScalar(values[0]) ? values[0] : undefined),
  text: one('string'),
  boolean: one('boolean'),
  number_range: ([min, max]) => (typeof min === 'number' && typeof max === 'number' ? { min, max } : undefined),
  date_range([value]) {
    const day = '\\d{4}-\\d{2}-\\d{2}';
    const [, single, from, to] = new RegExp(`^(?:(${day})|(${day})?~(${day})?)$`).exec(String(value)) ?? [];
    if (single !== undefined) return { from: single, to: single };
    return from === undefined && to === undefined ? undefined : { from: from ?? null, to: to ?? null };
  },
};
