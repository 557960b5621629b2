import { httpConfigIssues } from '../../../../shared/data/connectors/http/files.ts';
import { type OpenOptions, ownBucketError } from '../../../../shared/data/connectors/open-source.ts';
import { AppError, type Issue } from '../../../../shared/platform/errors/app-error.ts';
import { AddressBlocked } from '../../../../shared/platform/net/address-guard.ts';
import { findHeaderIssues } from '../../../../shared/platform/net/header-issues.ts';
import { escapePointer } from '../../../../shared/platform/validation/json-pointer.ts';
import type { ExternalSettings } from '../connections.ts';

export type CheckSettings = (settings: ExternalSettings) => Promise<void>;

/** Checks settings before they are saved or tested. Throws `VALIDATION_FAILED` or `ADDRESS_BLOCKED` with the place. */
export function settingsCheck({ guard, schemes, ownBucket }: OpenOptions): CheckSettings {
  return async (settings) => {
    const { type: _type, ...texts } = settings;
    const issues = [...referenceIssues(texts), ...(settings.type === 'http' ? webIssues(settings) : [])];
    if (issues.length > 0) throw new AppError('VALIDATION_FAILED', { errors: issues });
    switch (settings.type) {
      case 'postgres':
      case 'mysql':
        return rejectAt('/config/host', () => guard.checkHost(settings.config.host, settings.config.port));
      case 's3':
        if (settings.config.bucket === ownBucket) {
          return rejectAt('/config/bucket', () => Promise.reject(ownBucketError()));
        }
        if (settings.config.endpoint === undefined) return;
        return rejectAt('/config/endpoint', () => guard.checkUrl(settings.config.endpoint!, { schemes }));
      case 'http':
        return rejectAt('/config/baseUrl', () => guard.checkUrl(settings.config.baseUrl, { schemes }));
    }
  };
}

/** A source stores its own credentials: a reference to a workspace secret would be sent as literal text. */
function referenceIssues(value: unknown, pointer = ''): Issue[] {
  if (typeof value === 'string') {
    const message =
      'cannot refer to a secret of the workspace: references work only in the env of code steps; give the value itself';
    return /\{\{\s*secrets\b/.test(value) ? [{ pointer, code: 'SECRET_NOT_ALLOWED', message }] : [];
  }
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, each]) => referenceIssues(each, `${pointer}/${escapePointer(name)}`));
}

function webIssues({ config, secrets }: Extract<ExternalSettings, { type: 'http' }>): Issue[] {
  const headers = findHeaderIssues({
    ...config.headers,
    ...(config.authHeader ? { [config.authHeader]: '' } : {}),
  }).map((issue) => ({ ...issue, pointer: `/config${issue.pointer}` }));
  const secretHeaders = findHeaderIssues(secrets.headers ?? {}).map((issue) => ({
    ...issue,
    pointer: `/secrets${issue.pointer}`,
  }));
  const query = /[?]/.test(config.baseUrl)
    ? [
        {
          pointer: '/config/baseUrl',
          code: 'SHAPE',
          message: 'must have no query: endpoints have queries of their own',
        },
      ]
    : [];
  return [...headers, ...secretHeaders, ...query, ...httpConfigIssues(config, secrets)];
}

async function rejectAt(pointer: string, check: () => Promise<unknown>): Promise<void> {
  try {
    await check();
  } catch (cause) {
    if (!(cause instanceof AddressBlocked)) throw cause;
    throw new AppError('ADDRESS_BLOCKED', {
      cause,
      errors: [{ pointer, code: cause.reason, message: cause.message }],
    });
  }
}
