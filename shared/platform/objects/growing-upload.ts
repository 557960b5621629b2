import { type FileHandle, open, stat } from 'node:fs/promises';
import type { S3Client } from '@aws-sdk/client-s3';
import { PartUpload, readPart, SIZES, type UploadSizes, type UploadTarget, uploadFile } from './upload-file.ts';

const LOOK_AGAIN_MS = 20;
/** Parts are held in memory. Two suffice while the file is written. */
const PARTS_AT_ONCE = 2;
/** A limit of S3. */
const MAX_PARTS = 10_000;

/** An upload that begins while its file is being written, from its beginning to its end. */
export class GrowingUpload {
  readonly #s3: S3Client;
  readonly #target: UploadTarget;
  readonly #path: string;
  readonly #options: { signal?: AbortSignal | undefined; sizes?: UploadSizes | undefined };
  readonly #partBytes: number;
  readonly #following: Promise<void>;
  #isWritten = false;
  #file: FileHandle | undefined;
  #upload: PartUpload | undefined;
  #sent = 0;
  #parts = 0;
  #failure: unknown;

  /** `written` settles when the file is complete, or will not be. */
  constructor(
    s3: S3Client,
    target: UploadTarget,
    path: string,
    written: Promise<unknown>,
    options: { signal?: AbortSignal | undefined; sizes?: UploadSizes | undefined } = {},
  ) {
    this.#s3 = s3;
    this.#target = target;
    this.#path = path;
    this.#options = options;
    this.#partBytes = (options.sizes ?? SIZES).partBytes;
    const end = () => {
      this.#isWritten = true;
    };
    const ended = written.then(end, end);
    this.#following = this.#follow(ended).catch((error: unknown) => {
      this.#failure = error;
    });
  }

  /** Uploads what is missing of the complete file. The object exists afterwards. */
  async finish(): Promise<void> {
    await this.#following;
    try {
      if (this.#failure) throw this.#failure;
      if (this.#upload && (await this.#isSameFile())) {
        const { size } = await this.#file!.stat();
        while (this.#sent < size) await this.#sendNext(Math.min(this.#partBytes, size - this.#sent));
        await this.#upload.complete();
        this.#upload = undefined;
        return;
      }
    } finally {
      await this.abandon();
    }
    await uploadFile(this.#s3, this.#target, this.#path, this.#options);
  }

  /** Removes what was sent. Does nothing after `finish`. */
  async abandon(): Promise<void> {
    this.#isWritten = true;
    await this.#following;
    await this.#upload?.abort();
    await this.#file?.close();
    this.#upload = undefined;
    this.#file = undefined;
  }

  async #follow(ended: Promise<void>): Promise<void> {
    const sending = new Set<Promise<void>>();
    while (!this.#isWritten) {
      await Promise.race([ended, new Promise((resolve) => setTimeout(resolve, LOOK_AGAIN_MS))]);
      while (!this.#isWritten && this.#parts < MAX_PARTS - 1 && (await this.#unsent()) >= this.#partBytes) {
        const part = this.#sendNext(this.#partBytes).finally(() => sending.delete(part));
        part.catch(() => undefined);
        sending.add(part);
        if (sending.size >= PARTS_AT_ONCE) await Promise.race(sending);
      }
    }
    await Promise.all(sending);
  }

  async #unsent(): Promise<number> {
    this.#file ??= await open(this.#path).catch(() => undefined);
    const size = (await this.#file?.stat())?.size ?? 0;
    return size - this.#sent;
  }

  async #sendNext(bytes: number): Promise<void> {
    const [part, start] = [++this.#parts, this.#sent];
    this.#sent += bytes;
    this.#upload ??= new PartUpload(this.#s3, this.#target, this.#options.signal);
    await this.#upload.send(part, await readPart(this.#file!, start, bytes));
  }

  /** The file may have been removed and written anew. Its number is not given to another file as long as it is open. */
  async #isSameFile(): Promise<boolean> {
    const [read, found] = await Promise.all([this.#file!.stat(), stat(this.#path)]);
    return read.ino === found.ino && read.dev === found.dev;
  }
}
