import { hkdfSync } from 'node:crypto';
import { GetParameterCommand, SSMClient } from '@aws-sdk/client-ssm';
import { AppError } from '../errors/app-error.ts';

/** Reads a version of the deployment's master secret (32 bytes, base64); the newest one by default. */
export type SecretReader = (version?: number) => Promise<VersionedSecret>;

interface VersionedSecret {
  version: number;
  secret: Buffer;
}

/** The requested version does not exist: the value that refers to it is forged, or older than the retained versions. */
export class UnknownSecretVersion extends Error {
  override readonly name = 'UnknownSecretVersion';
}

/** Limits how often invented versions can cause a check for a newer one. */
const MIN_CHECK_INTERVAL_MS = 10_000;
/** How long it takes at most until a running function works with a new version. */
const MAX_AGE_MS = 5 * 60_000;

/**
 * The secret of a deployment. Every other key is derived from it by purpose (HKDF-SHA-256, RFC 5869), so nothing else
 * has to be stored. Rotation adds a version to one parameter; values created with an old version refer to it.
 */
export class MasterSecret {
  readonly #read: SecretReader;
  readonly #now: () => number;
  #newest: Promise<VersionedSecret> | undefined;
  #readAt = Number.NEGATIVE_INFINITY;
  #lookedAt = Number.NEGATIVE_INFINITY;
  readonly #earlier = new Map<number, Promise<VersionedSecret>>();

  constructor(read: SecretReader, now: () => number = Date.now) {
    this.#read = read;
    this.#now = now;
  }

  /** Derives 32 bytes for one purpose, and returns the version of the secret. Throws `UnknownSecretVersion`. */
  async derive(purpose: string, version?: number): Promise<{ version: number; key: Buffer }> {
    const source = await (version === undefined ? this.#current() : this.#at(version));
    return {
      version: source.version,
      key: Buffer.from(hkdfSync('sha256', source.secret, Buffer.alloc(0), purpose, 32)),
    };
  }

  /** The newest version, as of the last ten seconds. */
  async newestVersion(): Promise<number> {
    return (await this.#checkForNewer()).version;
  }

  async #current(): Promise<VersionedSecret> {
    if (this.#newest && this.#now() < this.#readAt + MAX_AGE_MS) return this.#newest;
    return this.#readNewest();
  }

  /** What is known stays known if the parameter cannot be read. */
  #readNewest(): Promise<VersionedSecret> {
    const known = this.#newest;
    this.#readAt = this.#now();
    this.#newest = this.#read().catch((cause: unknown) => {
      this.#newest = known;
      if (known) return known;
      throw unavailable(cause);
    });
    return this.#newest;
  }

  async #checkForNewer(): Promise<VersionedSecret> {
    if (this.#now() < this.#lookedAt + MIN_CHECK_INTERVAL_MS) return this.#current();
    this.#lookedAt = this.#now();
    return this.#readNewest();
  }

  /** A token may contain any version, so only versions that must have existed are read, each once. */
  async #at(version: number): Promise<VersionedSecret> {
    let newest = await this.#current();
    if (version > newest.version) newest = await this.#checkForNewer();
    if (version > newest.version) throw new UnknownSecretVersion();
    if (version === newest.version) return newest;
    let known = this.#earlier.get(version);
    if (!known) {
      known = this.#read(version).catch((cause: unknown) => {
        if (/^Parameter(Version)?NotFound/.test((cause as Error).name)) throw new UnknownSecretVersion();
        this.#earlier.delete(version);
        throw unavailable(cause);
      });
      this.#earlier.set(version, known);
    }
    return known;
  }
}

/**
 * Without its keys the deployment can neither authenticate callers nor decrypt secrets, but the outage may be short.
 */
function unavailable(cause: unknown): AppError {
  return new AppError('SERVICE_BUSY', { cause, retryAfterSeconds: 5 });
}

/** Reads the secret from an SSM parameter (SecureString). */
export function parameterReader(name: string): SecretReader {
  return async (version) => {
    const reply = await new SSMClient({}).send(
      new GetParameterCommand({ Name: version === undefined ? name : `${name}:${version}`, WithDecryption: true }),
    );
    return { version: reply.Parameter!.Version!, secret: Buffer.from(reply.Parameter!.Value!, 'base64') };
  };
}

/**
 * The oldest version whose tokens of a few minutes are accepted: keys from before the previous rotation sign nothing
 * any more but forgeries.
 */
export const oldestAccepted = (newest: number): number => Math.max(1, newest - 1);
