import { createHash } from 'node:crypto';
import { AwsError } from '../../core/aws-error.ts';
import { invalidParameter } from './errors.ts';

/** A message attribute as on the wire; `BinaryValue` is base64. */
export interface MessageAttribute {
  DataType: string;
  StringValue?: string;
  BinaryValue?: string;
}
export type MessageAttributes = Record<string, MessageAttribute>;

/** SQS has list values in its model only to reject them. */
export const ATTRIBUTE_MEMBERS = ['DataType', 'StringValue', 'BinaryValue', 'StringListValues', 'BinaryListValues'];

const NAME = /^(?!aws\.|amazon\.)[A-Za-z0-9_-]+(?:\.[A-Za-z0-9_-]+)*$/i;
const NUMBER = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?$/i;
const MAX_ATTRIBUTES = 10;
const MAX_NAME_LENGTH = 256;
/** Characters that XML 1.0, and therefore SQS, cannot carry. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is looked for
const INVALID_CHARACTERS = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]|\p{Surrogate}/u;

/** Throws `InvalidMessageContents` for text with characters that SQS does not carry. */
export function checkText(text: string): void {
  if (!INVALID_CHARACTERS.test(text)) return;
  throw new AwsError(
    'InvalidMessageContents',
    'Invalid characters found. Valid unicode characters are #x9 | #xA | #xD | #x20 to #xD7FF | #xE000 to #xFFFD | #x10000 to #x10FFFF',
  );
}

/** Throws `InvalidParameterValue` with the name of the invalid attribute. */
export function checkMessageAttributes(attributes: MessageAttributes): void {
  const names = Object.keys(attributes);
  if (names.length > MAX_ATTRIBUTES) {
    throw invalidParameter(
      `Number of message attributes [${names.length}] exceeds the allowed maximum [${MAX_ATTRIBUTES}].`,
    );
  }
  for (const [name, attribute] of Object.entries(attributes)) checkAttribute(name, attribute);
}

function checkAttribute(name: string, { DataType, StringValue, BinaryValue, ...more }: MessageAttribute): void {
  if (!NAME.test(name) || name.length > MAX_NAME_LENGTH) {
    throw invalidParameter(`Message (user) attribute name '${name}' is invalid.`);
  }
  if (Object.keys(more).length > 0) {
    throw invalidParameter(`Message (user) attribute '${name}' has a list value, which is not supported.`);
  }
  const type = DataType?.split('.', 1)[0] ?? '';
  if (!['String', 'Number', 'Binary'].includes(type) || DataType.length > MAX_NAME_LENGTH) {
    throw invalidParameter(
      `The type of message (user) attribute '${name}' is invalid. You must use only the following supported type prefixes: Binary, Number, String.`,
    );
  }
  const value = type === 'Binary' ? BinaryValue : StringValue;
  if (!value) {
    throw invalidParameter(
      `Message (user) attribute '${name}' must contain a non-empty value of type '${type === 'Binary' ? 'Binary' : 'String'}'.`,
    );
  }
  if (type === 'Number' && !NUMBER.test(value)) {
    throw invalidParameter(`Can't cast the value of message (user) attribute '${name}' to a number.`);
  }
  if (StringValue !== undefined) checkText(StringValue);
}

/** Size of a message: body, and name, type and value of every attribute, in bytes. */
export function messageBytes(body: string, attributes: MessageAttributes): number {
  const ofAttributes = Object.entries(attributes).map(
    ([name, attribute]) => byteLength(name) + byteLength(attribute.DataType) + valueBytes(attribute).length,
  );
  return ofAttributes.reduce((sum, bytes) => sum + bytes, byteLength(body));
}

export function md5(text: string): string {
  return createHash('md5').update(text, 'utf8').digest('hex');
}

/** The checksum of attributes in SQS's binary form: sorted by name, every part preceded by its length. */
export function md5OfAttributes(attributes: MessageAttributes): string | undefined {
  const names = Object.keys(attributes).sort();
  if (names.length === 0) return undefined;
  const hash = createHash('md5');
  const add = (bytes: Buffer) => {
    const length = Buffer.alloc(4);
    length.writeUInt32BE(bytes.length);
    hash.update(length).update(bytes);
  };
  for (const name of names) {
    const attribute = attributes[name] as MessageAttribute;
    add(Buffer.from(name));
    add(Buffer.from(attribute.DataType));
    hash.update(Buffer.from([isBinary(attribute) ? 2 : 1]));
    add(valueBytes(attribute));
  }
  return hash.digest('hex');
}

/** The requested attributes: `All`, `.*`, `prefix.*` or exact names. */
export function selectAttributes(attributes: MessageAttributes, wanted: readonly string[]): MessageAttributes {
  const asked = (name: string) =>
    wanted.some((each) => {
      if (each === 'All' || each === '.*') return true;
      return each.endsWith('.*') ? name.startsWith(each.slice(0, -2)) : name === each;
    });
  return Object.fromEntries(Object.entries(attributes).filter(([name]) => asked(name)));
}

function isBinary(attribute: MessageAttribute): boolean {
  return attribute.DataType.startsWith('Binary');
}

function valueBytes(attribute: MessageAttribute): Buffer {
  return isBinary(attribute)
    ? Buffer.from(attribute.BinaryValue as string, 'base64')
    : Buffer.from(attribute.StringValue as string);
}

function byteLength(text: string): number {
  return Buffer.byteLength(text);
}
