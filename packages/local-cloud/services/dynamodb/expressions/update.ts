import { invalid } from '../errors.ts';
import { LruCache } from '../lru-cache.ts';
import { addNumbers, subtractNumbers } from '../numbers.ts';
import { type AttributeValue, copyItem, copyValue, type Item, typeOf, type ValueType } from '../values.ts';
import { ExpressionIssues } from './issues.ts';
import { bindPath, bindValue, type Path, readPath, rejectOverlaps } from './paths.ts';
import type { Placeholders } from './placeholders.ts';
import type { OperandSyntax, SetValueSyntax, UpdateAction } from './syntax.ts';
import { parseUpdate, type UpdateSyntax } from './update-parser.ts';

/** A value to set, computed from the item before the update. */
type SetValue =
  | { kind: 'path'; path: Path }
  | { kind: 'value'; value: AttributeValue }
  | { kind: 'if_not_exists'; path: Path; otherwise: SetValue }
  | { kind: 'list_append' | '+' | '-'; left: SetValue; right: SetValue };

export type BoundAction =
  | { kind: 'SET'; path: Path; value: SetValue }
  | { kind: 'REMOVE'; path: Path }
  | { kind: 'ADD' | 'DELETE'; path: Path; value: AttributeValue };

const typeNames: Partial<Record<ValueType, string>> = {
  S: 'STRING',
  N: 'NUMBER',
  B: 'BINARY',
  NULL: 'NULL',
  BOOL: 'BOOLEAN',
  L: 'LIST',
  M: 'MAP',
};
const UNKNOWN: SetValue = { kind: 'value', value: { NULL: true } };
const cache = new LruCache<string, UpdateSyntax>(2000);

/** Compiles an `UpdateExpression`. Throws `ValidationException`. */
export function bindUpdate(text: string, placeholders: Placeholders): BoundAction[] {
  const syntax = cache.get(text, parseUpdate);
  const issues = new ExpressionIssues('UpdateExpression');
  if (syntax.repeatedSection) {
    issues.add(
      'repeatedSection',
      `The "${syntax.repeatedSection}" section can only be used once in an update expression;`,
    );
  }
  const actions = syntax.actions.map((action) => bindAction(action, placeholders, issues));
  rejectOverlaps(
    actions.map(({ path }) => path),
    issues,
  );
  issues.throwFirst();
  return actions;
}

function bindAction(action: UpdateAction, placeholders: Placeholders, issues: ExpressionIssues): BoundAction {
  const path = bindPath(action.path, placeholders, issues);
  switch (action.kind) {
    case 'SET':
      return { kind: 'SET', path, value: bindSetValue(action.value, placeholders, issues) };
    case 'REMOVE':
      return { kind: 'REMOVE', path };
    default: {
      const value = bindValue(action.value.placeholder, placeholders, issues) ?? { NS: [] };
      const name = typeNames[typeOf(value)];
      if (name && !(action.kind === 'ADD' && name === 'NUMBER')) {
        issues.add(
          'operandType',
          `Incorrect operand type for operator or function; operator: ${action.kind}, operand type: ${name}`,
        );
      }
      return { kind: action.kind, path, value };
    }
  }
}

function bindSetValue(
  syntax: SetValueSyntax | OperandSyntax,
  placeholders: Placeholders,
  issues: ExpressionIssues,
): SetValue {
  switch (syntax.kind) {
    case 'path':
      return { kind: 'path', path: bindPath(syntax, placeholders, issues) };
    case 'value': {
      const value = bindValue(syntax.placeholder, placeholders, issues);
      return value ? { kind: 'value', value } : UNKNOWN;
    }
    case 'arithmetic': {
      const left = bindSetValue(syntax.left, placeholders, issues);
      const right = bindSetValue(syntax.right, placeholders, issues);
      for (const operand of [left, right]) requireType(operand, 'N', syntax.operator, issues);
      return { kind: syntax.operator, left, right };
    }
    case 'call':
      return bindCall(syntax.name, syntax.operands, placeholders, issues);
  }
}

function bindCall(
  name: string,
  syntax: OperandSyntax[],
  placeholders: Placeholders,
  issues: ExpressionIssues,
): SetValue {
  const operands = syntax.map((operand) => bindSetValue(operand, placeholders, issues));
  if (name !== 'if_not_exists' && name !== 'list_append') {
    issues.add('unknownFunction', `Invalid function name; function: ${name}`);
    return UNKNOWN;
  }
  if (operands.length !== 2) {
    issues.add(
      'operandCount',
      `Incorrect number of operands for operator or function; operator or function: ${name}, number of operands: ${operands.length}`,
    );
    return UNKNOWN;
  }
  const [left, right] = operands as [SetValue, SetValue];
  if (name === 'if_not_exists') {
    if (left.kind === 'path') return { kind: 'if_not_exists', path: left.path, otherwise: right };
    issues.add('operandType', `Operator or function requires a document path; operator or function: ${name}`);
    return UNKNOWN;
  }
  for (const operand of operands) requireType(operand, 'L', name, issues);
  return { kind: 'list_append', left, right };
}

function requireType(operand: SetValue, type: ValueType, operator: string, issues: ExpressionIssues): void {
  if (operand.kind !== 'value' || operand === UNKNOWN) return;
  const found = typeOf(operand.value);
  if (found === type) return;
  issues.add(
    'operandType',
    `Incorrect operand type for operator or function; operator or function: ${operator}, operand type: ${found}`,
  );
}

/**
 * Returns a changed copy of `item`. Every value is computed from the item before the update, and list indexes refer to
 * positions before it: removed elements leave only at the end.
 */
export function applyUpdate(item: Item, actions: BoundAction[]): Item {
  const result = copyItem(item);
  const gaps = new Set<(AttributeValue | undefined)[]>();
  const values = actions.map((action) => (action.kind === 'SET' ? compute(action.value, item) : undefined));
  actions.forEach((action, index) => {
    const place = locate(result, action.path);
    switch (action.kind) {
      case 'SET':
        place.write(copyValue(values[index] as AttributeValue), gaps);
        break;
      case 'REMOVE':
        place.remove(gaps);
        break;
      case 'ADD':
        place.write(added(place.value, action.value), gaps);
        break;
      case 'DELETE': {
        const left = without(place.value, action.value);
        if (left) place.write(left, gaps);
        else place.remove(gaps);
        break;
      }
    }
  });
  for (const list of gaps) closeRanks(list);
  return result;
}

interface Place {
  value: AttributeValue | undefined;
  write(value: AttributeValue, gaps: Set<(AttributeValue | undefined)[]>): void;
  remove(gaps: Set<(AttributeValue | undefined)[]>): void;
}

function locate(item: Item, path: Path): Place {
  const last = path[path.length - 1] as string | number;
  const parent: AttributeValue | undefined = path.length === 1 ? { M: item } : readPath(item, path.slice(0, -1));
  if (typeof last === 'string' && parent?.M) {
    const map = parent.M;
    return {
      value: Object.hasOwn(map, last) ? map[last] : undefined,
      write: (value) => {
        map[last] = value;
      },
      remove: () => {
        delete map[last];
      },
    };
  }
  if (typeof last === 'number' && parent?.L) {
    const list: (AttributeValue | undefined)[] = parent.L;
    return {
      value: list[last],
      write: (value, gaps) => {
        if (last > list.length) gaps.add(list);
        list[last] = value;
      },
      remove: (gaps) => {
        if (last >= list.length) return;
        list[last] = undefined;
        gaps.add(list);
      },
    };
  }
  throw invalid('The document path provided in the update expression is invalid for update');
}

function closeRanks(list: (AttributeValue | undefined)[]): void {
  const kept = list.filter((element) => element !== undefined);
  list.splice(0, list.length, ...kept);
}

function compute(value: SetValue, item: Item): AttributeValue {
  switch (value.kind) {
    case 'value':
      return value.value;
    case 'path': {
      const found = readPath(item, value.path);
      if (found) return found;
      throw invalid('The provided expression refers to an attribute that does not exist in the item');
    }
    case 'if_not_exists':
      return readPath(item, value.path) ?? compute(value.otherwise, item);
    case 'list_append': {
      const [left, right] = [compute(value.left, item), compute(value.right, item)];
      if (!left.L || !right.L) throw wrongOperand();
      return { L: [...left.L, ...right.L] };
    }
    default: {
      const [left, right] = [compute(value.left, item), compute(value.right, item)];
      if (left.N === undefined || right.N === undefined) throw wrongOperand();
      return { N: value.kind === '+' ? addNumbers(left.N, right.N) : subtractNumbers(left.N, right.N) };
    }
  }
}

/** Adds numbers, or members to a set; a missing value counts as zero or empty. */
function added(value: AttributeValue | undefined, operand: AttributeValue): AttributeValue {
  if (!value) return copyValue(operand);
  if (operand.N !== undefined && value.N !== undefined) return { N: addNumbers(value.N, operand.N) };
  const [type, members, more] = setsOf(value, operand);
  return { [type]: [...new Set([...members, ...more])] };
}

function without(value: AttributeValue | undefined, operand: AttributeValue): AttributeValue | undefined {
  if (!value) return undefined;
  const [type, members, fewer] = setsOf(value, operand);
  const gone = new Set(fewer);
  const left = members.filter((member) => !gone.has(member));
  return left.length > 0 ? { [type]: left } : undefined;
}

function setsOf(value: AttributeValue, operand: AttributeValue): ['SS' | 'NS' | 'BS', string[], string[]] {
  const type = typeOf(operand);
  if ((type === 'SS' || type === 'NS' || type === 'BS') && typeOf(value) === type) {
    return [type, value[type] as string[], operand[type] as string[]];
  }
  throw wrongOperand();
}

function wrongOperand(): Error {
  return invalid('An operand in the update expression has an incorrect data type');
}
