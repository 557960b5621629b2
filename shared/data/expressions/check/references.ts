import { functionOf } from '../catalogue/index.ts';
import { Diagnostics, type Span, suggestion } from '../language/diagnostics.ts';
import { fieldReference, measureReference } from '../language/names.ts';
import type { Node } from '../language/tree.ts';
import type { Typed } from '../language/typed.ts';
import { type Body, type CheckContext, MAX_REFERENCE_DEPTH, unknown } from './context.ts';
import type { FieldMatch, ScopeTable } from './scope.ts';
import { plannedOf, windowsOf } from './traits.ts';

type FieldNode = Extract<Node, { kind: 'field' }>;
type MeasureNode = Extract<Node, { kind: 'measure' }>;

/** Resolves a reference to a field. */
export function checkField(context: CheckContext, node: FieldNode): Typed {
  const match = findField(context, node);
  if (!match) return unknown(node);
  const { table, field } = match;
  const written = fieldReference(table.alias, field.name);
  if (field.access === 'denied') {
    const message = `The field ${fieldReference(node.alias, node.name)} is not available to you.`;
    context.diagnostics.error(2004, node, message, 'Remove it, or ask an admin of the workspace for access.');
    return unknown(node);
  }
  if (field.access === 'hidden')
    context.diagnostics.warning(
      2004,
      node,
      `The field ${written} is hidden.`,
      'Readers see the result, but not the field itself.',
    );
  const base = { table: table.id, field: field.id, from: node.from, to: node.to };
  const typed: Typed = { kind: 'field', ...base, type: field.dataType, level: 'row' };
  if (field.expression === undefined) return typed;
  const body = bodyOf(context, node, { id: field.id, text: field.expression, written, home: table.id });
  return body ? { ...typed, type: body.type, body } : unknown(node);
}

function findField(context: CheckContext, node: FieldNode): FieldMatch | undefined {
  const { names, diagnostics } = context;
  const table = node.alias === undefined ? names.homeTable : findTable(context, node, node.alias);
  if (!table) {
    if (node.alias === undefined) withoutTable(context, node);
    return undefined;
  }
  const match = names.field(table, node.name);
  if (match && 'found' in match) return { table, field: match.found };
  const aliasOf = node.alias === undefined ? undefined : table.alias;
  if (match) {
    const options = match.ambiguous.map(({ name }) => fieldReference(aliasOf, name)).join(' or ');
    const message = `${fieldReference(node.alias, node.name)} stands for several fields.`;
    diagnostics.error(2003, node, message, `Write ${options}.`);
    return undefined;
  }
  const known = table.fields.filter(({ access }) => access === undefined).map(({ name }) => name);
  const hint =
    suggestion(node.name, known, (name) => fieldReference(aliasOf, name)) ??
    elsewhere(context, node.name) ??
    listOf(known, 'fields');
  diagnostics.error(2001, node, `The table ${table.alias} has no field "${node.name}".`, hint);
  return undefined;
}

function findTable({ names, diagnostics }: CheckContext, node: FieldNode, alias: string): ScopeTable | undefined {
  const match = names.table(alias);
  if (match && 'found' in match) return match.found;
  const aliases = names.scope.tables.map((table) => table.alias);
  if (match) {
    const options = match.ambiguous.map((table) => fieldReference(table.alias, node.name)).join(' or ');
    diagnostics.error(2003, node, `"${alias}" stands for several tables.`, `Write ${options}.`);
    return undefined;
  }
  const hint =
    suggestion(alias, aliases, (found) => fieldReference(found, node.name)) ??
    names.fieldsAnywhere(node.name).map(suggested)[0] ??
    listOf(aliases, 'tables');
  diagnostics.error(2001, node, `There is no table "${alias}".`, hint);
  return undefined;
}

/** A name without an alias, where there are several tables. */
function withoutTable({ names, diagnostics }: CheckContext, node: FieldNode): void {
  const matches = names.fieldsAnywhere(node.name);
  const options = matches.map(({ table, field }) => fieldReference(table.alias, field.name)).join(' or ');
  if (matches.length > 1) {
    const message = `Several tables have a field "${node.name}".`;
    diagnostics.error(2003, node, message, `Write ${options}.`);
    return;
  }
  const hint = matches.length === 1 ? `Write ${options}.` : 'Write the table before the name, as in [table.field].';
  diagnostics.error(2001, node, `The field "${node.name}" has no table before it.`, hint);
}

const suggested = ({ table, field }: FieldMatch) => `Did you mean ${fieldReference(table.alias, field.name)}?`;
const elsewhere = ({ names }: CheckContext, name: string) => names.fieldsAnywhere(name).map(suggested)[0];

function listOf(names: readonly string[], what: string): string | undefined {
  if (names.length === 0) return undefined;
  const shown = names.slice(0, 8).join(', ');
  return `The ${what} are ${shown}${names.length > 8 ? ', …' : ''}.`;
}

/** Resolves a reference to a measure or a parameter. A parameter is the constant that is its value. */
export function checkMeasure(context: CheckContext, node: MeasureNode): Typed {
  const { names, diagnostics } = context;
  const parameter = names.parameter(node.name);
  if (parameter) {
    const { value } = parameter;
    return { kind: 'literal', literal: value, type: value.type, level: 'constant', from: node.from, to: node.to };
  }
  const match = names.measure(node.name);
  const written = measureReference(node.name);
  if (!match) {
    const known = names.scope.measures.map(({ name }) => name);
    const parameters = (names.scope.parameters ?? []).map(({ name }) => name);
    const hint = suggestion(node.name, [...known, ...parameters], measureReference) ?? listOf(known, 'measures');
    diagnostics.error(2002, node, `There is no measure ${written}.`, hint);
    return unknown(node);
  }
  if ('ambiguous' in match) {
    const options = match.ambiguous.map(({ name }) => measureReference(name)).join(' or ');
    diagnostics.error(2003, node, `${written} stands for several measures.`, `Write ${options}.`);
    return unknown(node);
  }
  if (context.purpose !== 'measure') {
    const message = `${written} aggregates rows, but this expression is computed for each row.`;
    diagnostics.error(3004, node, message, 'Use fields only.');
    return unknown(node);
  }
  if (context.inside && !context.isInWindow) {
    const message = `${written} is an aggregate inside ${context.inside}.`;
    diagnostics.error(3003, node, message, 'Aggregate a field instead, or use the measure on its own.');
    return unknown(node);
  }
  const { id, expression } = match.found;
  const body = bodyOf(context, node, { id, text: expression, written });
  if (!body || !isComposed(context, node, { written, body })) return unknown(node);
  return { kind: 'measure', measure: id, body, type: body.type, level: 'aggregate', from: node.from, to: node.to };
}

/** Functions whose values have no meaning for other groups than those of the reply. */
const OF_GROUPS: readonly string[] = ['PRIOR', 'TRAILING', 'CUMULATIVE', 'SHARE_OF_PARENT', 'RANK'];

/** Which functions of a measure have no meaning inside another one. */
function wrongInside(inside: string): (name: string) => boolean {
  if (inside === 'PRIOR' || inside === 'TRAILING') return () => true;
  return inside === 'RANK' ? (name) => name === 'RANK' : (name) => OF_GROUPS.includes(name);
}

/** Whether the function around a measure has a meaning for one that looks at other groups itself. */
function isComposed(
  { diagnostics, inside }: CheckContext,
  node: MeasureNode,
  { written, body }: { written: string; body: Typed },
): boolean {
  if (inside === undefined) return true;
  const inner = windowsOf(body).map(({ name }) => name);
  const wrong = functionOf(inside)?.nested ? plannedOf(body)[0]?.name : inner.find(wrongInside(inside));
  if (wrong === undefined) return true;
  const message = `${written} uses ${wrong}, which cannot be inside ${inside}.`;
  diagnostics.error(3003, node, message, `Use a measure without ${wrong}, or leave out ${inside}.`);
  return false;
}

interface Target {
  id: string;
  text: string;
  /** The reference with the current names. */
  written: string;
  /** The table of a calculated field. */
  home?: string;
}

/** The tree of a measure or calculated field; undefined, and reported at the reference, if it is not valid. */
function bodyOf(context: CheckContext, span: Span, target: Target): Typed | undefined {
  const { id, written } = target;
  if (context.path.includes(id)) {
    const message = context.path.at(-1) === id ? `${written} refers to itself.` : `${written} leads back to itself.`;
    context.diagnostics.error(4001, span, message, 'Remove one of the references of the circle.');
    return undefined;
  }
  const body = resolvedBody(context, target);
  if ('typed' in body) {
    context.longest.chain = Math.max(context.longest.chain, body.depth);
    return body.typed;
  }
  const { code, message } = body;
  if (code === 4001) context.diagnostics.error(code, span, message, 'Remove one of the references of the circle.');
  else if (code === 4002) context.diagnostics.error(code, span, message, 'Write out some of the measures in between.');
  else context.diagnostics.error(code, span, `${written} is not valid: ${message}`, `Correct ${written} first.`);
  return undefined;
}

/**
 * The body of a reference, checked once. One that was too deep is checked again only for a way with fewer references,
 * so that the work stays small however many ways there are.
 */
function resolvedBody(context: CheckContext, target: Target): Body {
  const { id, written } = target;
  const message = `References are nested more than ${MAX_REFERENCE_DEPTH} deep at ${written}.`;
  if (context.depth >= MAX_REFERENCE_DEPTH) return { code: 4002, message, failedAt: context.depth };
  let body = context.bodies.get(id);
  const isKnown = body && ('typed' in body || body.failedAt === undefined || context.depth >= body.failedAt);
  if (!body || !isKnown) {
    body = checkBody(context, target);
    context.bodies.set(id, body);
  }
  const isTooDeep = 'typed' in body && context.depth + body.depth > MAX_REFERENCE_DEPTH;
  return isTooDeep ? { code: 4002, message, failedAt: context.depth } : body;
}

function checkBody(context: CheckContext, { id, text, home }: Target): Body {
  const diagnostics = new Diagnostics();
  const { inside: _, ...outer } = context;
  const longest = { chain: 0 };
  const isField = home !== undefined;
  const typed = context.checkBody(text, {
    ...outer,
    diagnostics,
    path: [...context.path, id],
    depth: context.depth + 1,
    longest,
    ...(isField ? { purpose: 'row' as const, names: context.names.within(home) } : {}),
  });
  const issue = diagnostics.sorted().find(({ severity }) => severity === 'error');
  if (typed && !issue) return { typed, depth: longest.chain + 1 };
  const { code = 1001, message = 'It cannot be read.' } = issue ?? {};
  return code === 4002 ? { code, message, failedAt: context.depth } : { code, message };
}
