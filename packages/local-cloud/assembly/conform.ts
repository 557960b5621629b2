import { compilePolicy } from '../iam/policy-document.ts';
import type { Members, Shape } from './shapes.ts';
import { isPending, type Value } from './value.ts';

export type Report = (path: string, problem: string) => void;

type ObjectValue = { [name: string]: Value };
type Scalar = 'text' | 'number' | 'flag';

/** Converts scalars to their declared type; undefined where that is impossible. */
const SCALARS: Record<Scalar, { expected: string; convert(value: Value): Value | undefined }> = {
  text: {
    expected: 'a text',
    convert: (value) => (['string', 'number', 'boolean'].includes(typeof value) ? String(value) : undefined),
  },
  number: {
    expected: 'a number',
    convert(value) {
      if (typeof value === 'number') return value;
      const isNumeric = typeof value === 'string' && value.trim() !== '' && Number.isFinite(Number(value));
      return isNumeric ? Number(value) : undefined;
    },
  },
  flag: {
    expected: 'true or false',
    convert(value) {
      if (typeof value === 'boolean') return value;
      return value === 'true' || value === 'false' ? value === 'true' : undefined;
    },
  },
};

/**
 * Converts `value` to the types of `shape`. Reports every mismatch with its path. A value that is not known yet fits
 * every shape.
 */
export function conform(shape: Shape, value: Value, path: string, report: Report): Value {
  if (isPending(value)) return value;
  switch (shape.kind) {
    case 'required':
      return conform(shape.of, value, path, report);
    case 'document':
      return value;
    case 'policy':
      checkPolicy(value, path, report);
      return value;
    case 'choice':
      if (typeof value !== 'object' && shape.values.includes(String(value))) return String(value);
      report(path, `the value ${JSON.stringify(value)} is not supported; supported: ${shape.values.join(', ')}`);
      return value;
    case 'list':
      if (!Array.isArray(value)) return mismatch('a list');
      return value.map((item, index) => conform(shape.of, item, `${path}[${index}]`, report));
    case 'map':
      if (!isObject(value)) return mismatch('an object');
      return mapEntries(value, (name, member) => conform(shape.of, member, `${path}.${name}`, report));
    case 'object':
      return isObject(value) ? conformObject(shape.members, value, path, report) : mismatch('an object');
    default: {
      const { expected, convert } = SCALARS[shape.kind];
      return convert(value) ?? mismatch(expected);
    }
  }

  function mismatch(expected: string): Value {
    report(path, `expected ${expected}, found ${JSON.stringify(value)}`);
    return value;
  }
}

function checkPolicy(value: Value, path: string, report: Report): void {
  try {
    compilePolicy(knownOf(value));
  } catch (error) {
    report(path, `the local cloud does not support ${(error as Error).message}`);
  }
}

/** The document with any text in place of what is not known yet. */
function knownOf(value: Value): unknown {
  if (isPending(value)) return '*';
  if (Array.isArray(value)) return value.map(knownOf);
  return isObject(value)
    ? Object.fromEntries(Object.entries(value).map(([name, member]) => [name, knownOf(member)]))
    : value;
}

function conformObject(members: Members, value: ObjectValue, path: string, report: Report): Value {
  for (const [name, member] of Object.entries(members)) {
    if (member.kind === 'required' && value[name] === undefined) report(`${path}.${name}`, 'required, but missing');
  }
  return mapEntries(value, (name, member) => {
    const known = Object.hasOwn(members, name) ? members[name] : undefined;
    if (known) return conform(known, member, `${path}.${name}`, report);
    report(`${path}.${name}`, 'the local cloud does not support this property');
    return member;
  });
}

function isObject(value: Value): value is ObjectValue {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function mapEntries(value: ObjectValue, convert: (name: string, member: Value) => Value): Value {
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, convert(name, member)]));
}
