import { randomBytes } from 'node:crypto';
import type {
  ClaimMapping,
  IdentityProvider,
  JitSettings,
  OidcSettings,
  ProviderDomain,
  SamlSettings,
} from '../../../../shared/domains/identity/identity-providers/index.ts';
import { AppError, type Issue } from '../../../../shared/platform/errors/app-error.ts';
import { pemOf, readSamlMetadata, type SamlMetadata } from '../saml-metadata.ts';
import type { OidcChange, SamlInput, UpdateIdentityProvider } from './schemas.ts';

const DOMAIN = /^(?=.{3,253}$)([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])$/;

export interface SettingsDeps {
  /** Throws `ADDRESS_BLOCKED` with the pointer. */
  checkAddress(url: string, pointer: string): Promise<void>;
  /** Whether browsers may be sent there. */
  isPage(url: string): boolean;
  /** Reads metadata. Throws `SAML_METADATA_INVALID`. */
  readMetadata(url: string): Promise<string>;
  workspaceCompany(workspaceId: string): Promise<string | undefined>;
  isGroup(workspaceId: string, groupId: string): Promise<boolean>;
}

type Settings = Pick<
  IdentityProvider,
  'companyId' | 'type' | 'oidc' | 'saml' | 'domains' | 'jit' | 'attributes' | 'sealedClientSecret'
>;

export const NO_JIT: JitSettings = { enabled: false, workspaceId: null, role: 'viewer', groups: [] };
const NEW_OIDC = { scopes: ['openid', 'email', 'profile'], emailClaim: 'email', groupsClaim: null, trustsMail: false };
const NEW_SAML: Omit<SamlSettings, keyof SamlMetadata> = {
  metadataUrl: null,
  subjectAttribute: null,
  emailAttribute: null,
  nameAttribute: null,
  groupsAttribute: null,
};

/** The settings after a change. Throws every issue, or what `deps` throw. */
export async function changedSettings(
  deps: SettingsDeps,
  current: Settings,
  change: UpdateIdentityProvider,
): Promise<Pick<Settings, 'oidc' | 'saml' | 'domains' | 'jit' | 'attributes'>> {
  const other = current.type === 'oidc' ? 'saml' : 'oidc';
  if (change[other] !== undefined)
    throw invalid([issue(`/${other}`, 'NOT_APPLICABLE', `does not belong to the type ${current.type}`)]);
  const [oidc, saml] =
    current.type === 'oidc'
      ? [await changedOidc(deps, current, change.oidc ?? {}), null]
      : [null, await changedSaml(deps, current.saml, change.saml ?? {})];
  const jit = { ...current.jit, ...change.jit };
  const domains = changedDomains(current.domains, change.domains);
  const attributes = change.attributes ?? current.attributes;
  const issues = [
    ...domains.issues,
    ...(change.jit ? await jitIssues(deps, current.companyId, jit) : []),
    ...attributeIssues(attributes),
  ];
  if (issues.length > 0) throw invalid(issues);
  return { oidc, saml, jit, attributes, domains: domains.domains };
}

async function changedOidc(deps: SettingsDeps, current: Settings, change: OidcChange): Promise<OidcSettings> {
  const { clientSecret, ...settings } = change;
  const next = { ...NEW_OIDC, ...current.oidc, ...settings } as OidcSettings;
  if (!next.issuer || !next.clientId) throw invalid([issue('/oidc', 'REQUIRED', 'is required for the type oidc')]);
  if (settings.issuer !== undefined) {
    await deps.checkAddress(next.issuer, '/oidc/issuer');
    const { search } = new URL(next.issuer);
    if (search !== '') throw invalid([issue('/oidc/issuer', 'FORMAT', 'must not have a query')]);
  }
  // The secret of one issuer must not be sent to another.
  const isElsewhere = current.oidc !== null && current.oidc.issuer !== next.issuer;
  if (isElsewhere && current.sealedClientSecret !== undefined && clientSecret === undefined) {
    throw invalid([issue('/oidc/clientSecret', 'REQUIRED', 'is required again for a new issuer')]);
  }
  return next;
}

async function changedSaml(deps: SettingsDeps, current: SamlSettings | null, change: SamlInput): Promise<SamlSettings> {
  const { metadata: text, certificates, ...settings } = change;
  if (text !== undefined && change.metadataUrl) {
    throw invalid([issue('/saml/metadata', 'CONFLICT', 'cannot be given together with metadataUrl')]);
  }
  if (change.metadataUrl) await deps.checkAddress(change.metadataUrl, '/saml/metadataUrl');
  const xml = change.metadataUrl ? await deps.readMetadata(change.metadataUrl) : text;
  const described = xml === undefined ? {} : metadataOf(xml);
  const given = certificates === undefined ? {} : { certificates: certificates.map(certificateAt) };
  const next = { ...NEW_SAML, ...current, ...settings, ...described, ...given } as SamlSettings;
  const missing = (['entityId', 'ssoUrl', 'certificates'] as const).filter((name) => next[name] === undefined);
  if (missing.length > 0) {
    throw invalid(missing.map((name) => issue(`/saml/${name}`, 'REQUIRED', 'is required, here or in the metadata')));
  }
  if (!deps.isPage(next.ssoUrl)) throw invalid([issue('/saml/ssoUrl', 'FORMAT', 'must be an https address')]);
  if (current && current.entityId !== next.entityId && certificates === undefined && xml === undefined) {
    throw invalid([issue('/saml/certificates', 'REQUIRED', 'are required again for a new entityId')]);
  }
  return next;
}

function metadataOf(xml: string): SamlMetadata {
  try {
    return readSamlMetadata(xml);
  } catch (cause) {
    const detail = `The metadata cannot be used: ${(cause as Error).message}.`.slice(0, 500);
    throw new AppError('SAML_METADATA_INVALID', { cause, detail });
  }
}

function certificateAt(text: string, index: number): string {
  try {
    return pemOf(text);
  } catch {
    throw invalid([issue(`/saml/certificates/${index}`, 'FORMAT', 'must be an X.509 certificate (PEM)')]);
  }
}

/** A domain that stays keeps its proof. */
function changedDomains(
  current: readonly ProviderDomain[],
  given: readonly string[] | undefined,
): { domains: ProviderDomain[]; issues: Issue[] } {
  if (!given) return { domains: [...current], issues: [] };
  const names = given.map((name) => name.toLowerCase());
  const issues = names.flatMap((name, index) => {
    if (!DOMAIN.test(name)) return [issue(`/domains/${index}`, 'FORMAT', 'must be a domain such as example.com')];
    return names.indexOf(name) < index ? [issue(`/domains/${index}`, 'DUPLICATE', 'is listed twice')] : [];
  });
  const token = () => randomBytes(16).toString('hex');
  const domains = names.map((name) => current.find((each) => each.name === name) ?? { name, token: token() });
  return { domains, issues };
}

const attributeIssues = (attributes: readonly ClaimMapping[]): Issue[] =>
  attributes.flatMap(({ attribute }, index) =>
    attributes.findIndex((each) => each.attribute === attribute) < index
      ? [issue(`/attributes/${index}/attribute`, 'DUPLICATE', 'is mapped twice')]
      : [],
  );

async function jitIssues(deps: SettingsDeps, companyId: string, jit: JitSettings): Promise<Issue[]> {
  const { workspaceId } = jit;
  if (workspaceId === null) {
    return jit.enabled ? [issue('/jit/workspaceId', 'REQUIRED', 'is required while jit is enabled')] : [];
  }
  if ((await deps.workspaceCompany(workspaceId)) !== companyId) {
    return [issue('/jit/workspaceId', 'NOT_FOUND', 'is not a workspace of the company')];
  }
  const known = await Promise.all(
    jit.groups.map(({ groupId }) => groupId === null || deps.isGroup(workspaceId, groupId)),
  );
  return known.flatMap((isKnown, index) =>
    isKnown ? [] : [issue(`/jit/groups/${index}/groupId`, 'NOT_FOUND', 'is not a group of the workspace')],
  );
}

const issue = (pointer: string, code: string, message: string): Issue => ({ pointer, code, message });
const invalid = (errors: Issue[]) => new AppError('VALIDATION_FAILED', { errors });
