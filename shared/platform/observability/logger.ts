import { Logger } from '@aws-lambda-powertools/logger';

/** Members whose values never reach a log, whatever object they sit in. */
const SECRET_MEMBERS = /^(password|secret|token|authorization|apiKey|key|accessToken|refreshToken|secrets|headers)$/i;

/** One JSON line per message, with the function's name and, inside a request, its id. */
export function createLogger(serviceName: string): Logger {
  return new Logger({
    serviceName,
    jsonReplacerFn: (name, value) => (SECRET_MEMBERS.test(name) && value !== undefined ? '******' : value),
  });
}
