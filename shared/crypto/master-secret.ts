import { hkdfSync } from 'node:crypto';
import { GetParameterCommand, SSMClient } from '@aws-sdk/client-ssm';
import { AppError } from '../errors/app-error.ts';

/** Reads one version of the deployment's master secret (32 bytes, base64); the newest when no version is named. */
export type SecretReader = (version?: number) => Promise<{ version: number; secret: Buffer }>;

/**
 * The one secret of a deployment. Every other key is derived from it by purpose (HKDF-SHA-256, RFC 5869), so nothing
 * else needs storing, and rotating it is a new version of one parameter: what was made with an old version names it.
 */
export class MasterSecret {
  readonly #read: SecretReader;
  #newest: Promise<{ version: number; secret: Buffer }> | undefined;
  readonly #byVersion = new Map<number, Promise<{ version: number; secret: Buffer }>>();

  constructor(read: SecretReader) {
    this.#read = read;
  }

  /** 32 bytes for one purpose, and the version of the secret they come from. */
  async derive(purpose: string, version?: number): Promise<{ version: number; key: Buffer }> {
    const source = await (version === undefined ? this.#current() : this.#at(version));
    return {
      version: source.version,
      key: Buffer.from(hkdfSync('sha256', source.secret, Buffer.alloc(0), purpose, 32)),
    };
  }

  #current() {
    this.#newest ??= this.#read().catch((cause: unknown) => {
      this.#newest = undefined;
      throw unavailable(cause);
    });
    return this.#newest;
  }

  #at(version: number) {
    let known = this.#byVersion.get(version);
    if (!known) {
      known = this.#read(version).catch((cause: unknown) => {
        this.#byVersion.delete(version);
        throw unavailable(cause);
      });
      this.#byVersion.set(version, known);
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
