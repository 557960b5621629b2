import { isObject } from '../../core/json.ts';

export type Json = null | boolean | number | string | Json[] | { [member: string]: Json };
export type JsonObject = { [member: string]: Json };

export function isJsonObject(value: unknown): value is JsonObject {
  return isObject(value);
}

/** Size of the value as UTF-8 JSON, AWS's measure of a payload. */
export function sizeBytes(value: Json): number {
  return Buffer.byteLength(JSON.stringify(value));
}

/** The text of an argument; any other JSON value is passed as its JSON text. */
export function textOf(value: Json): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}
