import { DataError, type DataErrorCode } from '../../../platform/errors/data-error.ts';

/** Node's error codes for connections. Node's own messages contain addresses, so they are not shown. */
const BY_SOCKET: Record<string, [DataErrorCode, string]> = {
  ECONNREFUSED: ['CONNECTION_FAILED', 'The server refused the connection.'],
  ECONNRESET: ['CONNECTION_FAILED', 'The server closed the connection.'],
  EPIPE: ['CONNECTION_FAILED', 'The server closed the connection.'],
  ENOTFOUND: ['CONNECTION_FAILED', 'The host name could not be resolved.'],
  EAI_AGAIN: ['CONNECTION_FAILED', 'The host name could not be resolved.'],
  EHOSTUNREACH: ['CONNECTION_FAILED', 'The host cannot be reached.'],
  ENETUNREACH: ['CONNECTION_FAILED', 'The host cannot be reached.'],
  ETIMEDOUT: ['TIMEOUT', 'The server did not answer in time.'],
};

/** The way out where a server in a trusted network has no TLS. */
export const WITHOUT_TLS = 'set ssl: false to connect without encryption, in a network that you trust.';

/** Translates a failure of the socket or of TLS; undefined for any other error. */
export function connectionError(cause: unknown): DataError | undefined {
  const { code = '', message = '' } = (cause ?? {}) as Record<string, string | undefined>;
  const socket = BY_SOCKET[code];
  if (socket) return new DataError(...socket, { cause });
  if (!/certificate|CERT_|SSL|TLS/i.test(`${code} ${message}`)) return undefined;
  const text = /does not support (SSL|secure connection)/.test(message)
    ? `The server does not offer TLS. Turn it on at the server, or ${WITHOUT_TLS}`
    : `The certificate of the server is not trusted. Set caCertificate to the authority that issued it.`;
  return new DataError('CONNECTION_FAILED', text, { cause });
}

/** Errors of this machine, such as a full disk, must not be blamed on the source. */
export const isLocalError = (error: unknown) =>
  ['ENOSPC', 'EDQUOT', 'EROFS', 'EMFILE', 'EACCES'].includes((error as NodeJS.ErrnoException).code ?? '');
