import { isAbsolute, normalize } from 'node:path';
import { crc32, inflateRawSync } from 'node:zlib';
import { AwsError } from '../../../core/aws-error.ts';

export interface ZipEntry {
  /** Relative path with forward slashes, always inside the archive's root. */
  name: string;
  /** Unix permission bits. */
  mode: number;
  content: Buffer;
}

const END_OF_DIRECTORY = 0x06054b50;
const DIRECTORY_ENTRY = 0x02014b50;
const END_BYTES = 22;
const ENTRY_BYTES = 46;
const LOCAL_HEADER_BYTES = 30;
const STORED = 0;
const DEFLATED = 8;

/**
 * Reads the files of a ZIP archive (stored or deflated, not encrypted, no ZIP64). Throws
 * `InvalidParameterValueException`.
 */
export function readZip(zip: Buffer): ZipEntry[] {
  try {
    return readEntries(zip);
  } catch (cause) {
    const error = new AwsError(
      'InvalidParameterValueException',
      'Could not unzip uploaded file. Please check your file, then try to upload again.',
    );
    error.cause = cause;
    throw error;
  }
}

function readEntries(zip: Buffer): ZipEntry[] {
  const end = findEnd(zip);
  const entries: ZipEntry[] = [];
  let at = zip.readUInt32LE(end + 16);
  for (let count = zip.readUInt16LE(end + 10); count > 0; count -= 1) {
    if (zip.readUInt32LE(at) !== DIRECTORY_ENTRY) throw new Error('Broken central directory');
    const nameLength = zip.readUInt16LE(at + 28);
    const name = zip.toString('utf8', at + ENTRY_BYTES, at + ENTRY_BYTES + nameLength);
    if (!name.endsWith('/')) {
      entries.push({ name: safeName(name), mode: permissions(zip, at), content: readContent(zip, at) });
    }
    at += ENTRY_BYTES + nameLength + zip.readUInt16LE(at + 30) + zip.readUInt16LE(at + 32);
  }
  return entries;
}

function findEnd(zip: Buffer): number {
  for (let at = zip.length - END_BYTES; at >= 0; at -= 1) {
    if (zip.readUInt32LE(at) === END_OF_DIRECTORY) return at;
  }
  throw new Error('No central directory');
}

function readContent(zip: Buffer, entry: number): Buffer {
  const method = zip.readUInt16LE(entry + 10);
  const size = zip.readUInt32LE(entry + 20);
  const local = zip.readUInt32LE(entry + 42);
  const start = local + LOCAL_HEADER_BYTES + zip.readUInt16LE(local + 26) + zip.readUInt16LE(local + 28);
  const packed = zip.subarray(start, start + size);
  if (method !== STORED && method !== DEFLATED) throw new Error(`Unknown compression method ${method}`);
  const content = method === DEFLATED ? inflateRawSync(packed) : packed;
  if (crc32(content) !== zip.readUInt32LE(entry + 16)) throw new Error('Wrong checksum');
  return content;
}

/** Archives made on Unix have permissions in the upper half of the external attributes. */
function permissions(zip: Buffer, entry: number): number {
  const mode = (zip.readUInt32LE(entry + 38) >>> 16) & 0o777;
  return mode === 0 ? 0o644 : mode | 0o400;
}

function safeName(name: string): string {
  const path = normalize(name);
  if (isAbsolute(path) || path.startsWith('..')) throw new Error(`The entry ${name} leaves the archive`);
  return path;
}
