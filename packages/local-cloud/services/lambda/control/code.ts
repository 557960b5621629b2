import { createHash, randomUUID } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { AwsError } from '../../../core/aws-error.ts';
import { rejectUnknownMembers } from '../../../core/operations.ts';
import type { FunctionCode } from '../model.ts';
import { readZip } from './zip.ts';

/** Returns the folder of the unpacked bundle of an S3 object. */
export type CodeSource = (code: { S3Bucket: string; S3Key: string }) => Promise<string>;

export interface CodeInput {
  /** Base64 on the wire. */
  ZipFile?: string;
  S3Bucket?: string;
  S3Key?: string;
}

const CODE_MEMBERS = ['ZipFile', 'S3Bucket', 'S3Key'];

/** Stores bundles uploaded as ZIP; bundles from S3 stay with the code source. */
export class CodeStore {
  readonly #folder: string;
  readonly #source: CodeSource;

  constructor(dataDir: string, source: CodeSource) {
    this.#folder = join(dataDir, 'code');
    this.#source = source;
    mkdirSync(this.#folder, { recursive: true });
  }

  /** Throws `InvalidParameterValueException` if there is no code or it cannot be read. */
  async resolve(code: CodeInput): Promise<FunctionCode> {
    rejectUnknownMembers('lambda', 'Code', code, CODE_MEMBERS);
    if (code.ZipFile !== undefined) return this.#unpack(Buffer.from(code.ZipFile, 'base64'));
    const { S3Bucket, S3Key } = code;
    if (!S3Bucket || !S3Key) {
      throw new AwsError('InvalidParameterValueException', 'Please provide a source for function code.');
    }
    const folder = await this.#source({ S3Bucket, S3Key });
    return { folder, sha256: sha256(`${S3Bucket}/${S3Key}`), sizeBytes: folderSize(folder) };
  }

  /** Removes uploaded bundles without a version. */
  prune(used: ReadonlySet<string>): void {
    for (const name of readdirSync(this.#folder)) {
      const folder = join(this.#folder, name);
      if (!used.has(folder)) rmSync(folder, { recursive: true, force: true });
    }
  }

  /** Named after its content and moved into place, so that a crash leaves no partial bundle. */
  #unpack(zip: Buffer): FunctionCode {
    const hash = sha256(zip);
    const folder = join(this.#folder, Buffer.from(hash, 'base64').toString('hex'));
    if (!existsSync(folder)) {
      const entries = readZip(zip);
      const temporary = `${folder}.${randomUUID()}`;
      mkdirSync(temporary);
      for (const entry of entries) {
        const path = join(temporary, entry.name);
        mkdirSync(dirname(path), { recursive: true });
        writeFileSync(path, entry.content, { mode: entry.mode });
      }
      renameSync(temporary, folder);
    }
    return { folder, sha256: hash, sizeBytes: zip.length };
  }
}

function sha256(content: string | Buffer): string {
  return createHash('sha256').update(content).digest('base64');
}

function folderSize(folder: string): number {
  let bytes = 0;
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    if (entry.isFile()) bytes += statSync(join(entry.parentPath, entry.name)).size;
  }
  return bytes;
}
