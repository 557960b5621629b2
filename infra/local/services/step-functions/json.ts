export type Json = null | boolean | number | string | Json[] | { [member: string]: Json };
export type JsonObject = { [member: string]: Json };

export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Bytes of the value as UTF-8 JSON, which is how AWS measures a payload. */
export function sizeBytes(value: Json): number {
  return Buffer.byteLength(JSON.stringify(value));
}
