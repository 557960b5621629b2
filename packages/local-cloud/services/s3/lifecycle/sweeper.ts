import {
  bucketRules,
  concerns,
  expiresAt,
  type LifecycleRule,
  midnightAfter,
} from '../configurations/lifecycle-rules.ts';
import { journalDeleted, lifecycleCause } from '../events/object-events.ts';
import { deleteMarkerAttributes } from '../objects/delete-object.ts';
import { commit, type S3Deps } from '../operation.ts';
import { newRequestId } from '../request.ts';
import type { Bucket } from '../store/buckets.ts';
import type { Deletion, Version } from '../store/versions.ts';

const DAY_MS = 24 * 60 * 60 * 1000;
/** Versions processed before other requests get their turn. */
const TURN = 500;

/**
 * Applies the lifecycle rules at the start, for everything that fell due in the meantime, and then at every midnight
 * UTC, when S3's days end.
 */
export class LifecycleSweeper {
  readonly #deps: S3Deps;
  #cancel: () => void = () => {};
  #sweeping: Promise<void> = Promise.resolve();
  #closed = false;

  constructor(deps: S3Deps) {
    this.#deps = deps;
    this.#start();
  }

  async close(): Promise<void> {
    this.#closed = true;
    this.#cancel();
    await this.#sweeping;
  }

  #start(): void {
    const { clock, log } = this.#deps.context;
    this.#sweeping = this.#sweep().catch((error: unknown) => log(`s3: the lifecycle sweep failed: ${String(error)}`));
    const midnight = (Math.floor(clock.now() / DAY_MS) + 1) * DAY_MS;
    this.#cancel = clock.schedule(midnight, () => this.#start());
  }

  async #sweep(): Promise<void> {
    const { store, context } = this.#deps;
    store.uploads.forgetCompletedBefore(context.clock.now() - DAY_MS);
    for (const bucket of store.buckets.all()) {
      const rules = bucketRules(this.#deps, bucket.name);
      if (rules.length === 0) continue;
      this.#abortUploads(bucket, rules);
      await this.#expireVersions(bucket, rules);
      if (this.#closed) return;
    }
  }

  #abortUploads(bucket: Bucket, rules: LifecycleRule[]): void {
    const { store, context } = this.#deps;
    const now = context.clock.now();
    for (const upload of store.uploads.of(bucket.name)) {
      const due = rules.some(
        (rule) =>
          rule.abortUploadsAfterDays !== undefined &&
          upload.key.startsWith(rule.prefix) &&
          midnightAfter(upload.initiated, rule.abortUploadsAfterDays) <= now,
      );
      if (due) commit(this.#deps, () => store.uploads.remove(upload.id));
    }
  }

  async #expireVersions(bucket: Bucket, rules: LifecycleRule[]): Promise<void> {
    let start: { from: string } | { after: string } = { from: '' };
    while (!this.#closed) {
      const keys = this.#nextKeys(bucket, start);
      const last = keys.at(-1);
      if (last === undefined) return;
      for (const history of keys) this.#expireHistory(bucket, rules, history);
      start = { after: last[0]!.key };
      await new Promise((resolve) => setImmediate(resolve));
    }
  }

  /** The versions of the next keys, newest first, grouped by key, for about one turn. */
  #nextKeys(bucket: Bucket, start: { from: string } | { after: string }): Version[][] {
    const keys: Version[][] = [];
    let count = 0;
    for (const version of this.#deps.store.versions.history(bucket.name, start)) {
      const current = keys.at(-1);
      if (current?.[0]?.key === version.key) current.push(version);
      else if (count >= TURN) break;
      else keys.push([version]);
      count += 1;
    }
    return keys;
  }

  /** Applies the rules to one key, whose versions come newest first. */
  #expireHistory(bucket: Bucket, rules: LifecycleRule[], history: Version[]): void {
    const now = this.#deps.context.clock.now();
    const [latest, ...noncurrent] = history as [Version, ...Version[]];
    for (const [index, version] of noncurrent.entries()) {
      const due = rules.some(
        (rule) =>
          rule.noncurrentDays !== undefined &&
          concerns(rule, version) &&
          index >= rule.newerNoncurrentVersions &&
          midnightAfter(version.superseded ?? version.modified, rule.noncurrentDays) <= now,
      );
      if (due) this.#remove(bucket, version);
    }
    if (latest.deleteMarker) {
      const alone = this.#deps.store.versions.isAlone(latest);
      // Expiry by age also removes a marker with nothing behind it.
      const due = rules.some(
        (rule) =>
          latest.key.startsWith(rule.prefix) &&
          (rule.expiresLoneDeleteMarkers || (expiresAt(rule, latest) ?? Number.POSITIVE_INFINITY) <= now),
      );
      if (alone && due) this.#remove(bucket, latest);
    } else if (
      rules.some((rule) => concerns(rule, latest) && (expiresAt(rule, latest) ?? Number.POSITIVE_INFINITY) <= now)
    ) {
      this.#record(bucket, () => {
        const attributes = deleteMarkerAttributes(this.#deps, bucket);
        return this.#deps.store.versions.deleteLatest(bucket, latest.key, now, attributes);
      });
    }
  }

  #remove(bucket: Bucket, version: Version): void {
    this.#record(bucket, () => {
      this.#deps.store.versions.remove(version);
      return { removed: version };
    });
  }

  #record(bucket: Bucket, work: () => Deletion): void {
    commit(this.#deps, () => {
      journalDeleted(this.#deps, bucket, work(), lifecycleCause(newRequestId()), 'Lifecycle Expiration');
    });
  }
}
