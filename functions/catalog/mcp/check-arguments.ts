import type { Issue } from '../../../shared/platform/errors/app-error.ts';
import {
  type IssueMessage,
  issueMessage,
  REQUIRED,
  unknownMember,
} from '../../../shared/platform/validation/issue-messages.ts';
import type { ArgumentsSchema } from './tool.ts';

interface Property {
  type?: string;
  enum?: readonly string[];
  format?: string;
  minLength?: number;
  maxLength?: number;
  minimum?: number;
  maximum?: number;
}

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/**
 * Every issue of the arguments themselves. What is inside of lists and objects is checked by the operation that gets
 * them, with the same pointers.
 */
export function findArgumentIssues({ properties, required = [] }: ArgumentsSchema, args: object): Issue[] {
  const known = Object.keys(properties);
  const given = Object.entries(args);
  return [
    ...required.filter((name) => !Object.hasOwn(args, name)).map((name) => ({ pointer: pointerTo(name), ...REQUIRED })),
    ...given
      .filter(([name]) => !Object.hasOwn(properties, name))
      .map(([name]) => ({ pointer: pointerTo(name), ...unknownMember(name, known) })),
    ...given
      .filter(([name]) => Object.hasOwn(properties, name))
      .flatMap(([name, value]) =>
        issueOf(properties[name] as Property, value).map((issue) => ({ pointer: pointerTo(name), ...issue })),
      ),
  ];
}

const pointerTo = (name: string): string => `/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`;

/** None, or the first. */
function issueOf(property: Property, value: unknown): IssueMessage[] {
  const { type, enum: allowedValues, format } = property;
  if (type !== undefined && !isOfType(type, value)) return [issueMessage('type', { type }, value)];
  if (allowedValues && !allowedValues.includes(value as string)) {
    return [issueMessage('enum', { allowedValues }, value)];
  }
  if (format === 'uuid' && !UUID.test(String(value))) return [issueMessage('format', { format })];
  const broken = brokenLimit(property, value);
  return broken ? [issueMessage(broken, { limit: property[broken] })] : [];
}

function brokenLimit({ minLength = 0, maxLength = Infinity, minimum, maximum }: Property, value: unknown) {
  if (typeof value === 'string') {
    return value.length < minLength ? 'minLength' : value.length > maxLength ? 'maxLength' : undefined;
  }
  if (typeof value !== 'number') return undefined;
  if (minimum !== undefined && value < minimum) return 'minimum';
  return maximum !== undefined && value > maximum ? 'maximum' : undefined;
}

function isOfType(type: string, value: unknown): boolean {
  if (type === 'integer') return Number.isInteger(value);
  if (type === 'array') return Array.isArray(value);
  if (type === 'object') return typeof value === 'object' && value !== null && !Array.isArray(value);
  return typeof value === type;
}
