import { X509Certificate } from 'node:crypto';
import type {
  IdentityProvider,
  OidcSettings,
  SamlSettings,
} from '../../../../shared/domains/identity/identity-providers/index.ts';
import { readSamlMetadata } from '../saml-metadata.ts';
import type { ProviderTest } from './schemas.ts';

interface Deps {
  /** Reads what a sign-in needs of an OpenID provider. Throws. */
  probe(provider: IdentityProvider & { oidc: OidcSettings }): Promise<void>;
  readMetadata(url: string): Promise<string>;
  now: () => Date;
}

type Issue = ProviderTest['issues'][number];

export async function testProvider(deps: Deps, provider: IdentityProvider): Promise<ProviderTest> {
  const { oidc, saml } = provider;
  const issues = oidc ? await oidcIssues(deps, { ...provider, oidc }) : await samlIssues(deps, saml!);
  return { ok: issues.length === 0, issues };
}

async function oidcIssues(deps: Deps, provider: IdentityProvider & { oidc: OidcSettings }): Promise<Issue[]> {
  try {
    await deps.probe(provider);
    return [];
  } catch (error) {
    return [{ code: 'DISCOVERY_FAILED', message: reasonOf(error) }];
  }
}

async function samlIssues(deps: Deps, { certificates, metadataUrl, entityId }: SamlSettings): Promise<Issue[]> {
  const at = deps.now();
  const isValid = (pem: string) => {
    const { validFromDate, validToDate } = new X509Certificate(pem);
    return validFromDate <= at && at < validToDate;
  };
  const issues: Issue[] = certificates.some(isValid)
    ? []
    : [
        {
          code: 'CERTIFICATE_EXPIRED',
          message: 'No certificate is currently valid. Add the current one of the provider.',
        },
      ];
  if (metadataUrl === null) return issues;
  try {
    const described = readSamlMetadata(await deps.readMetadata(metadataUrl));
    const isKnown =
      described.entityId === entityId && described.certificates.every((pem) => certificates.includes(pem));
    if (isKnown) return issues;
    return [...issues, { code: 'METADATA_CHANGED', message: 'The metadata has changed. Save its address again.' }];
  } catch (error) {
    return [...issues, { code: 'METADATA_INVALID', message: reasonOf(error) }];
  }
}

/** The message of the error and of what has caused it; neither quotes the reply. */
function reasonOf(error: unknown): string {
  const { message, cause } = error as Error & { cause?: { message?: string } };
  return [message, cause?.message].filter(Boolean).join(': ').slice(0, 500);
}
