import { AppError } from '../../../shared/platform/errors/app-error.ts';

const LABEL = '[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?';
const ORIGIN = new RegExp(`^https://(?:\\*\\.${LABEL}(?:\\.${LABEL})*|${LABEL}(?:\\.${LABEL})+)(?::\\d{1,5})?$`);
const LOCALHOST = /^http:\/\/(?:localhost|127\.0\.0\.1)(?::\d{1,5})?$/;
const WILDCARD = '*.';

/**
 * The origin as browsers write it, in ASCII. `localhost` may use plain HTTP. Throws `VALIDATION_FAILED` if the text is
 * no HTTPS origin, or if its wildcard includes the sites of strangers.
 */
export async function embedOrigin(text: string): Promise<string> {
  const url = URL.parse(text.trim());
  // What browsers leave out of an origin is not part of one here either.
  const isOrigin = url?.pathname === '/' && !/[?#@]/.test(text);
  if (!isOrigin || !(ORIGIN.test(url.origin) || LOCALHOST.test(url.origin)))
    throw invalid(
      'FORMAT',
      'must be an https origin without a path, such as https://app.example.com or https://*.example.com',
    );

  const { hostname, origin } = url;
  if (hostname.startsWith(WILDCARD)) await assertOwned(hostname.slice(WILDCARD.length));
  return origin;
}

async function assertOwned(name: string): Promise<void> {
  // The list of suffixes is large, and requests for tokens, which share this function, do not need it.
  const { isPublicSuffix } = await import('./public-suffix.ts');
  if (!isPublicSuffix(name)) return;
  const reason = `anyone can get a name below ${name}, and so could show your dashboards`;
  throw invalid('PUBLIC_SUFFIX', `must name your own domain after "*.", such as https://*.example.${name}: ${reason}`);
}

const invalid = (code: string, message: string): AppError =>
  new AppError('VALIDATION_FAILED', { errors: [{ pointer: '/origin', code, message }] });
