import { DIMENSIONS } from '../../../platform/ai/dimensions.ts';
import { HASH_BYTES } from './texts.ts';

/** The direction of a text among all texts: those of similar meaning have similar ones. */
export interface Vector {
  members: Int8Array;
  length: number;
}

/** By the hash of their text. */
export type Vectors = ReadonlyMap<string, Vector>;

const ENTRY_BYTES = HASH_BYTES + DIMENSIONS;

export function vectorOf(members: Int8Array): Vector {
  let squares = 0;
  for (const member of members) squares += member * member;
  return { members, length: Math.sqrt(squares) };
}

/** From -1 to 1; the same direction is 1. A loop, because a search compares its query with every document. */
export function cosine(a: Vector, b: Vector): number {
  let product = 0;
  for (let index = 0; index < DIMENSIONS; index++) product += a.members[index]! * b.members[index]!;
  return product / (a.length * b.length);
}

/** As stored: the hash of a text and its vector, one after the other. */
export function encodeVectors(vectors: Vectors): Buffer {
  return Buffer.concat([...vectors].flatMap(([hash, { members }]) => [Buffer.from(hash, 'hex'), asBytes(members)]));
}

export function decodeVectors(content: Buffer): Map<string, Vector> {
  const found = new Map<string, Vector>();
  for (let start = 0; start + ENTRY_BYTES <= content.length; start += ENTRY_BYTES) {
    const vector = start + HASH_BYTES;
    const hash = content.toString('hex', start, vector);
    found.set(hash, vectorOf(new Int8Array(content.subarray(vector, start + ENTRY_BYTES))));
  }
  return found;
}

/** A vector as text, for cursors. */
export const vectorToText = ({ members }: Vector): string => asBytes(members).toString('base64url');

export const vectorFromText = (text: string): Vector => vectorOf(new Int8Array(Buffer.from(text, 'base64url')));

const asBytes = ({ buffer, byteOffset, byteLength }: Int8Array): Buffer => Buffer.from(buffer, byteOffset, byteLength);
