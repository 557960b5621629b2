import { Logger } from '@aws-lambda-powertools/logger';

/** Members whose values are never logged, in any object. */
const SECRET_MEMBERS = /^(password|secret|token|authorization|apiKey|key|accessToken|refreshToken|secrets|headers)$/i;

/** Writes one JSON line per message, with the function's name and, within a request, its id. */
export function createLogger(serviceName: string): Logger {
  return new Logger({
    serviceName,
    jsonReplacerFn: (name, value) => (SECRET_MEMBERS.test(name) && value !== undefined ? '******' : value),
  });
}
