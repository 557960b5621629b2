import { SchemaMismatch } from './errors.ts';
import { encodeNumber } from './numbers.ts';
import { type AttributeValue, binarySize, type Item, textSize, typeOf } from './values.ts';

export type KeyType = 'S' | 'N' | 'B';
export interface KeyAttribute {
  name: string;
  type: KeyType;
}
/** The key of a table or index: partition key and optional sort key. */
export interface KeySchema {
  hash: KeyAttribute;
  range?: KeyAttribute;
}

/** Position of an item: the partition key behind its hash, and the sort key; both ordered like the values. */
export interface Position {
  pk: Buffer;
  sk: Buffer;
}

export const MAX_HASH_KEY_BYTES = 2048;
export const MAX_RANGE_KEY_BYTES = 1024;

/** The sort key in a table without one. Not empty, because SQLite binds an empty buffer as NULL. */
const NO_RANGE = Buffer.from([0]);

export function keyNames(schema: KeySchema): string[] {
  return schema.range ? [schema.hash.name, schema.range.name] : [schema.hash.name];
}

/** The key attributes of `item`, which must have them. */
export function keyOf(schema: KeySchema, item: Item): Item {
  const key: Item = { [schema.hash.name]: item[schema.hash.name] as AttributeValue };
  if (schema.range) key[schema.range.name] = item[schema.range.name] as AttributeValue;
  return key;
}

export function position(schema: KeySchema, item: Item): Position {
  return {
    pk: encodePartition(item[schema.hash.name] as AttributeValue),
    sk: schema.range ? encodeKeyValue(item[schema.range.name] as AttributeValue) : NO_RANGE,
  };
}

export function encodeKeyValue(value: AttributeValue): Buffer {
  if (value.S !== undefined) return Buffer.from(value.S, 'utf8');
  if (value.N !== undefined) return encodeNumber(value.N);
  return Buffer.from(value.B as string, 'base64');
}

/** Four bytes of hash before the value scatter partitions over a scan, as in DynamoDB, and divide it into segments. */
export function encodePartition(value: AttributeValue): Buffer {
  const encoded = encodeKeyValue(value);
  const result = Buffer.allocUnsafe(encoded.length + 4);
  result.writeUInt32BE(hash(encoded), 0);
  encoded.copy(result, 4);
  return result;
}

/** FNV-1a with a final mix, so that keys with different endings differ in the high bits. */
function hash(bytes: Buffer): number {
  let value = 0x811c9dc5;
  for (let index = 0; index < bytes.length; index += 1) {
    value = Math.imul(value ^ (bytes[index] as number), 0x01000193);
  }
  value = Math.imul(value ^ (value >>> 16), 0x85ebca6b);
  value = Math.imul(value ^ (value >>> 13), 0xc2b2ae35);
  return (value ^ (value >>> 16)) >>> 0;
}

/** First partition of segment `index` of `total`: the lower bound of its part of the hash space. */
export function segmentStart(index: number, total: number): Buffer {
  const bytes = Buffer.alloc(8);
  bytes.writeBigUInt64BE((2n ** 32n * BigInt(index)) / BigInt(total));
  // The position after the last hash needs a fifth byte; 0xff repeated is above every four-byte hash followed by a key.
  return index >= total ? Buffer.alloc(MAX_HASH_KEY_BYTES + 8, 0xff) : bytes.subarray(4);
}

/** Checks the `Key` of a request against the schema. Throws `ValidationException`. */
export function checkKey(schema: KeySchema, key: Item): void {
  const expected = schema.range ? 2 : 1;
  if (Object.keys(key).length !== expected)
    throw new SchemaMismatch('The provided key element does not match the schema');
  checkKeyPart(key, schema.hash, MAX_HASH_KEY_BYTES);
  if (schema.range) checkKeyPart(key, schema.range, MAX_RANGE_KEY_BYTES);
}

function checkKeyPart(key: Item, attribute: KeyAttribute, maxBytes: number): void {
  const value = Object.hasOwn(key, attribute.name) ? key[attribute.name] : undefined;
  if (!value || typeOf(value) !== attribute.type) {
    throw new SchemaMismatch('The provided key element does not match the schema');
  }
  rejectEmptyKey(value, attribute, 'One or more parameter values are not valid. ');
  rejectLongKey(value, maxBytes);
}

/** Checks the table's key attributes in `item`. Throws `ValidationException`. */
export function checkItemKey(schema: KeySchema, item: Item): void {
  checkItemKeyPart(item, schema.hash, MAX_HASH_KEY_BYTES);
  if (schema.range) checkItemKeyPart(item, schema.range, MAX_RANGE_KEY_BYTES);
}

function checkItemKeyPart(item: Item, attribute: KeyAttribute, maxBytes: number): void {
  const value = Object.hasOwn(item, attribute.name) ? item[attribute.name] : undefined;
  if (!value) throw wrongParameter(`Missing the key ${attribute.name} in the item`);
  if (typeOf(value) !== attribute.type) {
    throw wrongParameter(
      `Type mismatch for key ${attribute.name} expected: ${attribute.type} actual: ${typeOf(value)}`,
    );
  }
  rejectEmptyKey(value, attribute, 'One or more parameter values are not valid. ');
  rejectLongKey(value, maxBytes);
}

function rejectEmptyKey(value: AttributeValue, attribute: KeyAttribute, prefix: string): void {
  if (value.S === '' || value.B === '') {
    const kind = value.S === '' ? 'string' : 'binary';
    throw new SchemaMismatch(
      `${prefix}The AttributeValue for a key attribute cannot contain an empty ${kind} value. Key: ${attribute.name}`,
    );
  }
}

function rejectLongKey(value: AttributeValue, maxBytes: number): void {
  if (keySize(value) <= maxBytes) return;
  throw wrongParameter(
    maxBytes === MAX_HASH_KEY_BYTES
      ? 'Size of hashkey has exceeded the maximum size limit of2048 bytes'
      : 'Aggregated size of all range keys has exceeded the size limit of 1024 bytes',
  );
}

function wrongParameter(what: string): SchemaMismatch {
  return new SchemaMismatch(`One or more parameter values were invalid: ${what}`);
}

/** Bytes of a string or binary key; numbers have no size limit. */
export function keySize(value: AttributeValue): number {
  if (value.S !== undefined) return textSize(value.S);
  return value.B !== undefined ? binarySize(value.B) : 0;
}
