import type { Shape } from './shapes.ts';
import { isPending, type Value } from './value.ts';

export type Report = (path: string, problem: string) => void;

/**
 * Answers `value` in the types of `shape`. Whatever does not fit is reported with its path, all of it; a value that is
 * not known yet fits everywhere.
 */
export function conform(shape: Shape, value: Value, path: string, report: Report): Value {
  if (isPending(value)) return value;
  switch (shape.kind) {
    case 'required':
      return conform(shape.of, value, path, report);
    case 'document':
      return value;
    case 'text':
      if (typeof value === 'string') return value;
      if (typeof value === 'number' || typeof value === 'boolean') return String(value);
      return mismatch('a text');
    case 'number':
      if (typeof value === 'number') return value;
      if (typeof value === 'string' && value.trim() !== '' && Number.isFinite(Number(value))) return Number(value);
      return mismatch('a number');
    case 'flag':
      if (typeof value === 'boolean') return value;
      if (value === 'true' || value === 'false') return value === 'true';
      return mismatch('true or false');
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
    case 'object': {
      if (!isObject(value)) return mismatch('an object');
      for (const [name, member] of Object.entries(shape.members)) {
        if (member.kind === 'required' && value[name] === undefined) report(`${path}.${name}`, 'required, but missing');
      }
      return mapEntries(value, (name, member) => {
        const known = Object.hasOwn(shape.members, name) ? shape.members[name] : undefined;
        if (known) return conform(known, member, `${path}.${name}`, report);
        report(`${path}.${name}`, 'the local cloud does not know this property');
        return member;
      });
    }
  }

  function mismatch(expected: string): Value {
    report(path, `expected ${expected}, found ${JSON.stringify(value)}`);
    return value;
  }
}

function isObject(value: Value): value is { [name: string]: Value } {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function mapEntries(value: { [name: string]: Value }, convert: (name: string, member: Value) => Value): Value {
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, convert(name, member)]));
}
