import type { GrowingUpload } from '../../platform/objects/growing-upload.ts';
import type { ObjectStore } from '../../platform/objects/object-store.ts';
import type { Engine } from '../duckdb/engine.ts';

/** The upload of a file that the engine writes, which begins while it is written. */
export interface CopyUpload {
  /** Uploads what is missing of the complete file. The object exists afterwards. */
  finish(): Promise<void>;
  /** Removes what was sent. Does nothing after `finish`. */
  abandon(): Promise<void>;
}

/** Follows what the engine will write to `path`. If it writes the file again, the upload begins anew. */
export function uploadCopy(engine: Engine, objects: ObjectStore, key: string, path: string): CopyUpload {
  let latest: GrowingUpload | undefined;
  const earlier: Promise<void>[] = [];
  let isOpen = true;
  engine.onCopy((file, written) => {
    if (file !== path || !isOpen) return;
    if (latest) earlier.push(latest.abandon());
    latest = objects.uploadGrowing(key, path, written);
  });
  const end = async (last: (() => Promise<void>) | undefined) => {
    isOpen = false;
    latest = undefined;
    await Promise.all(earlier);
    await last?.();
  };
  return {
    finish() {
      const upload = latest;
      return end(() => (upload ? upload.finish() : objects.upload(key, path)));
    },
    abandon() {
      const upload = latest;
      return end(upload && (() => upload.abandon()));
    },
  };
}
