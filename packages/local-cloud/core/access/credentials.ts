import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { Denial } from './denial.ts';
import { type Principal, ROOT, sessionOf } from './principal.ts';

/** An access key with its secret; a session of a role also has a token and an end. */
export interface IssuedCredentials {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  readonly sessionToken: string;
  /** Epoch milliseconds. */
  readonly expiresAt: number;
}

/** An access key whose secret proves the principal. */
export interface KnownKey {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  readonly principal: Principal;
}

/** The access key of the developer's programs: CLI, tests and the commands of this repository. */
export const DEVELOPER = { accessKeyId: 'local', secretAccessKey: 'local' };

const HOUR_MS = 60 * 60_000;
/** Sessions live for at least this long; their ends fall on full hours, so that one session serves many starts. */
const SESSION_MS = 12 * HOUR_MS;
const MAX_CACHED = 1000;

interface Session {
  role: string;
  name: string;
  expiresAt: number;
}

/**
 * Issues the credentials of role sessions and recognises them. Nothing is stored per session: the token carries the
 * session under a MAC, and access key and secret are derived from the token. The same key issues the same credentials
 * after a restart, so presigned URLs stay valid.
 */
export class Credentials {
  readonly #key: Buffer;
  readonly #now: () => number;
  readonly #known = new Map<string, KnownKey & IssuedCredentials>();

  constructor(key: Buffer = randomBytes(32), now: () => number = Date.now) {
    this.#key = key;
    this.#now = now;
  }

  /** With the key in this file, which is created if missing. */
  static openFile(path: string): Credentials {
    try {
      writeFileSync(path, randomBytes(32), { flag: 'wx', mode: 0o600 });
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    }
    return new Credentials(readFileSync(path));
  }

  /** Temporary credentials of a role, like those of `sts:AssumeRole`. */
  issue(roleArn: string, sessionName: string): IssuedCredentials {
    const expiresAt = Math.ceil(this.#now() / HOUR_MS) * HOUR_MS + SESSION_MS;
    const session: Session = { role: roleArn, name: sessionName, expiresAt };
    const payload = Buffer.from(JSON.stringify(session)).toString('base64url');
    return this.#derive(`${payload}.${this.#mac('token', payload).toString('base64url')}`, session);
  }

  /**
   * The key with this id. Throws a `Denial` for an unknown one, for a token that does not belong to the key, and for a
   * session that has ended.
   */
  find(accessKeyId: string, sessionToken: string | undefined): KnownKey {
    if (accessKeyId === DEVELOPER.accessKeyId) {
      if (sessionToken !== undefined) throw invalidToken();
      return { ...DEVELOPER, principal: ROOT };
    }
    if (!/^ASIA[A-Z2-7]{16}$/.test(accessKeyId)) {
      throw new Denial('unknownKey', 'The security token included in the request is invalid.');
    }
    if (sessionToken === undefined) throw invalidToken();
    const known = this.#known.get(sessionToken) ?? this.#read(sessionToken);
    if (known.accessKeyId !== accessKeyId) throw invalidToken();
    if (this.#now() >= known.expiresAt) {
      throw new Denial('expiredToken', 'The security token included in the request is expired');
    }
    return known;
  }

  #read(token: string): KnownKey & IssuedCredentials {
    const [payload = '', mac = '', ...more] = token.split('.');
    const expected = this.#mac('token', payload);
    const provided = Buffer.from(mac, 'base64url');
    if (more.length > 0 || provided.length !== expected.length || !timingSafeEqual(provided, expected)) {
      throw invalidToken();
    }
    return this.#derive(token, JSON.parse(Buffer.from(payload, 'base64url').toString('utf8')) as Session);
  }

  #derive(sessionToken: string, { role, name, expiresAt }: Session): KnownKey & IssuedCredentials {
    const cached = this.#known.get(sessionToken);
    if (cached) return cached;
    const known = {
      accessKeyId: `ASIA${base32(this.#mac('id', sessionToken)).slice(0, 16)}`,
      secretAccessKey: this.#mac('secret', sessionToken).toString('base64').slice(0, 40),
      sessionToken,
      expiresAt,
      principal: sessionOf(role, name),
    };
    if (this.#known.size >= MAX_CACHED) this.#known.delete(this.#known.keys().next().value as string);
    this.#known.set(sessionToken, known);
    return known;
  }

  #mac(purpose: 'token' | 'id' | 'secret', text: string): Buffer {
    return createHmac('sha256', this.#key).update(`${purpose}:${text}`).digest();
  }
}

function invalidToken(): Denial {
  return new Denial('invalidToken', 'The security token included in the request is invalid.');
}

function base32(bytes: Buffer): string {
  const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';
  return Array.from(bytes, (byte) => alphabet[byte & 31]).join('');
}
