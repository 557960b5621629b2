import { hkdfSync } from 'node:crypto';
import { GetParameterCommand, SSMClient } from '@aws-sdk/client-ssm';
import { AppError } from '../errors/app-error.ts';

/** Reads one version of the deployment's master secret (32 bytes, base64); the newest when no version is named. */
export type SecretReader = (version?: number) => Promise<VersionedSecret>;

interface VersionedSecret {
  version: number;
  secret: Buffer;
}

/** A key was asked for by a version that does not exist: what names it is forged, or older than what is kept. */
export class UnknownSecretVersion extends Error {
  override readonly name = 'UnknownSecretVersion';
}

/** How often somebody who makes up versions can make us look whether there is a newer one. */
const LOOK_AGAIN_MS = 10_000;

/**
 * The one secret of a deployment. Every other key is derived from it by purpose (HKDF-SHA-256, RFC 5869), so nothing
 * else needs storing, and rotating it is a new version of one parameter: what was made with an old version names it.
 */
export class MasterSecret {
  readonly #read: SecretReader;
  readonly #now: () => number;
  #newest: Promise<VersionedSecret> | undefined;
  #lookedAt = Number.NEGATIVE_INFINITY;
  readonly #earlier = new Map<number, Promise<VersionedSecret>>();

  constructor(read: SecretReader, now: () => number = Date.now) {
    this.#read = read;
    this.#now = now;
  }

  /** 32 bytes for one purpose, and the version of the secret they come from. Throws `UnknownSecretVersion`. */
  async derive(purpose: string, version?: number): Promise<{ version: number; key: Buffer }> {
    const source = await (version === undefined ? this.#current() : this.#at(version));
    return {
      version: source.version,
      key: Buffer.from(hkdfSync('sha256', source.secret, Buffer.alloc(0), purpose, 32)),
    };
  }

  #current(): Promise<VersionedSecret> {
    this.#newest ??= this.#read().catch((cause: unknown) => {
      this.#newest = undefined;
      throw unavailable(cause);
    });
    return this.#newest;
  }

  /** Anybody can put any version into a token: only versions that must have existed are asked for, each once. */
  async #at(version: number): Promise<VersionedSecret> {
    let newest = await this.#current();
    if (version > newest.version && this.#now() >= this.#lookedAt + LOOK_AGAIN_MS) {
      this.#lookedAt = this.#now();
      this.#newest = undefined;
      newest = await this.#current();
    }
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

/** Without its keys the deployment can neither tell who is calling nor open what is sealed, but it may be over soon. */
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
