import { SchemaMismatch } from './errors.ts';
import { encodeNumber } from './numbers.ts';
import { type AttributeValue, binarySize, type Item, textSize, typeOf } from './values.ts';

export type KeyType = 'S' | 'N' | 'B';
export interface KeyAttribute {
  name: string;
  type: KeyType;
}
/** The key of a table or index: partition key and, where there is one, sort key. */
export interface KeySchema {
  hash: KeyAttribute;
  range?: KeyAttribute;
}

/** Where an item lies: the partition key behind its hash, and the sort key; both ordered like the values. */
export interface Position {
  pk: Buffer;
  sk: Buffer;
}

export const LONGEST_HASH_KEY_BYTES = 2048;
export const LONGEST_RANGE_KEY_BYTES = 1024;

/** The sort key of an item in a table that has none. Not empty, because SQLite would bind no bytes as NULL. */
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

/** Four bytes of hash before the value scatter partitions over a scan, as DynamoDB does, and cut it into segments. */
export function encodePartition(value: AttributeValue): Buffer {
  const encoded = encodeKeyValue(value);
  const result = Buffer.allocUnsafe(encoded.length + 4);
  result.writeUInt32BE(hash(encoded), 0);
  encoded.copy(result, 4);
  return result;
}

/** FNV-1a with a final mix, so that the high bits differ between keys that end differently. */
function hash(bytes: Buffer): number {
  let value = 0x811c9dc5;
  for (let index = 0; index < bytes.length; index += 1) {
    value = Math.imul(value ^ (bytes[index] as number), 0x01000193);
  }
  value = Math.imul(value ^ (value >>> 16), 0x85ebca6b);
  value = Math.imul(value ^ (value >>> 13), 0xc2b2ae35);
  return (value ^ (value >>> 16)) >>> 0;
}

/** First partition of segment `index` of `total`: the lower bound of its share of the hash space. */
export function segmentStart(index: number, total: number): Buffer {
  const bytes = Buffer.alloc(8);
  bytes.writeBigUInt64BE((2n ** 32n * BigInt(index)) / BigInt(total));
  // One past the last hash needs a fifth byte; 0xff repeated lies above every four-byte hash with a key behind it.
  return index >= total ? Buffer.alloc(LONGEST_HASH_KEY_BYTES + 8, 0xff) : bytes.subarray(4);
}

/** Checks the `Key` of a request against the schema. Throws `ValidationException`. */
export function checkKey(schema: KeySchema, key: Item): void {
  const expected = schema.range ? 2 : 1;
  if (Object.keys(key).length !== expected)
    throw new SchemaMismatch('The provided key element does not match the schema');
  checkKeyPart(key, schema.hash, LONGEST_HASH_KEY_BYTES);
  if (schema.range) checkKeyPart(key, schema.range, LONGEST_RANGE_KEY_BYTES);
}

function checkKeyPart(key: Item, attribute: KeyAttribute, longest: number): void {
  const value = Object.hasOwn(key, attribute.name) ? key[attribute.name] : undefined;
  if (!value || typeOf(value) !== attribute.type) {
    throw new SchemaMismatch('The provided key element does not match the schema');
  }
  refuseEmptyKey(value, attribute, 'One or more parameter values are not valid. ');
  refuseLongKey(value, longest);
}

/** Checks that `item` holds the table's key with values that may be keys. Throws `ValidationException`. */
export function checkItemKey(schema: KeySchema, item: Item): void {
  checkItemKeyPart(item, schema.hash, LONGEST_HASH_KEY_BYTES);
  if (schema.range) checkItemKeyPart(item, schema.range, LONGEST_RANGE_KEY_BYTES);
}

function checkItemKeyPart(item: Item, attribute: KeyAttribute, longest: number): void {
  const value = Object.hasOwn(item, attribute.name) ? item[attribute.name] : undefined;
  if (!value) throw wrongParameter(`Missing the key ${attribute.name} in the item`);
  if (typeOf(value) !== attribute.type) {
    throw wrongParameter(
      `Type mismatch for key ${attribute.name} expected: ${attribute.type} actual: ${typeOf(value)}`,
    );
  }
  refuseEmptyKey(value, attribute, 'One or more parameter values are not valid. ');
  refuseLongKey(value, longest);
}

function refuseEmptyKey(value: AttributeValue, attribute: KeyAttribute, prefix: string): void {
  if (value.S === '' || value.B === '') {
    const kind = value.S === '' ? 'string' : 'binary';
    throw new SchemaMismatch(
      `${prefix}The AttributeValue for a key attribute cannot contain an empty ${kind} value. Key: ${attribute.name}`,
    );
  }
}

function refuseLongKey(value: AttributeValue, longest: number): void {
  if (keySize(value) <= longest) return;
  throw wrongParameter(
    longest === LONGEST_HASH_KEY_BYTES
      ? 'Size of hashkey has exceeded the maximum size limit of2048 bytes'
      : 'Aggregated size of all range keys has exceeded the size limit of 1024 bytes',
  );
}

function wrongParameter(what: string): SchemaMismatch {
  return new SchemaMismatch(`One or more parameter values were invalid: ${what}`);
}

/** Bytes of a string or binary key; numbers have no limit of their own. */
export function keySize(value: AttributeValue): number {
  if (value.S !== undefined) return textSize(value.S);
  return value.B !== undefined ? binarySize(value.B) : 0;
}
