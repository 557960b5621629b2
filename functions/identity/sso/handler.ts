import { buffer } from 'node:stream/consumers';
import {
  type IdentityProvider,
  identities,
  identityProviderRepository,
  readEnforcement,
  ssoDomains,
} from '../../../shared/domains/identity/identity-providers/index.ts';
import { provisionedUsers } from '../../../shared/domains/identity/provisioning/index.ts';
import { signInFailures } from '../../../shared/domains/identity/sessions/index.ts';
import { groupMemberships, groupRepository } from '../../../shared/domains/tenancy/groups/index.ts';
import { secretBox } from '../../../shared/platform/crypto/secret-box.ts';
import { AppError } from '../../../shared/platform/errors/app-error.ts';
import { baseUrl } from '../../../shared/platform/http/base-url.ts';
import { bind, bindPublic } from '../../../shared/platform/http/bind.ts';
import { Content } from '../../../shared/platform/http/content.ts';
import { endpointGroup } from '../../../shared/platform/http/endpoint-group.ts';
import { openGroup } from '../../../shared/platform/http/open-group.ts';
import { Redirect } from '../../../shared/platform/http/redirect.ts';
import { AddressBlocked } from '../../../shared/platform/net/address-guard.ts';
import { decodedBody } from '../../../shared/platform/net/decoded-body.ts';
import { dnsTexts } from '../../../shared/platform/net/dns-texts.ts';
import { guardFromEnvironment, webhookSchemes } from '../../../shared/platform/net/guard-from-environment.ts';
import { guardedRequest } from '../../../shared/platform/net/guarded-request.ts';
import { newId } from '../../../shared/platform/storage/ids.ts';
import { oneTime } from '../../../shared/platform/storage/one-time.ts';
import { accounts } from './accounts.ts';
import { audienceOf, callbackUrl } from './addresses.ts';
import { oidcClient } from './oidc.ts';
import type { Flow, PendingSession, ProvenPerson } from './person.ts';
import { oidcSettings, protocolOf } from './protocols.ts';
import { findProvider, showProvider } from './providers/read-providers.ts';
import * as providerRoutes from './providers/routes.ts';
import { createProvider, updateProvider } from './providers/save-provider.ts';
import { setEnforcement } from './providers/set-enforcement.ts';
import { testProvider } from './providers/test-provider.ts';
import { admitPerson } from './sign-in/admit-person.ts';
import { discoverSignIn } from './sign-in/discover-sign-in.ts';
import { exchangeCode } from './sign-in/exchange-code.ts';
import { finishSso } from './sign-in/finish-sso.ts';
import * as signInRoutes from './sign-in/routes.ts';
import { requireProvider, startSso } from './sign-in/start-sso.ts';

const MAX_METADATA_BYTES = 512 * 1024;

const group = openGroup('sso');
const { table, now, tokens } = group;
const guard = guardFromEnvironment();
const secrets = secretBox(group.master);
const SCHEMES = webhookSchemes();
const oidc = oidcClient(guard, SCHEMES);
const groups = groupRepository(table);
const stores = {
  table,
  providers: identityProviderRepository(table),
  domains: ssoDomains(table),
  identities: identities(table),
  accounts: accounts(table),
  memberships: groupMemberships(table),
  flows: oneTime<Flow>(table, 'SSO-FLOW'),
  codes: oneTime<PendingSession>(table, 'SSO-CODE'),
  assertions: oneTime<object>(table, 'SSO-ASSERTION'),
};
const removedNamed = (companyId: string, email: string) => provisionedUsers(table, companyId).removedNamed(email);
const deps = {
  ...stores,
  oidc,
  secrets,
  tokens,
  newId,
  now,
  returnUrls: (process.env.SSO_RETURN_URLS ?? '').split(',').filter(Boolean),
  protocol: (provider: IdentityProvider) => protocolOf({ oidc, secrets, assertions: stores.assertions, now }, provider),
  admit: (provider: IdentityProvider, person: ProvenPerson) =>
    admitPerson({ ...stores, removedNamed, newId, now }, provider, person),
  async accountOf(provider: IdentityProvider, { subject, email }: ProvenPerson) {
    const id = await stores.identities.userOf(provider, subject);
    const user = id ? await stores.accounts.user(id) : email && (await stores.accounts.userByEmail(email));
    return user && user.companyId === provider.companyId ? user : undefined;
  },
  failures: signInFailures(table),
  isPage: (url: string) => SCHEMES.some((scheme) => URL.parse(url)?.protocol === `${scheme}:`),
  workspaceCompany: async (id: string) => (await stores.accounts.workspace(id))?.companyId,
  isGroup: async (workspaceId: string, id: string) => (await groups.get(workspaceId, id)) !== undefined,
  probe: async (provider: IdentityProvider) =>
    void (await oidc.configuration(await oidcSettings({ secrets }, provider))),
  readTexts: dnsTexts(process.env.SSO_DNS_SERVER),

  async checkAddress(url: string, pointer: string) {
    try {
      await guard.checkUrl(url, { schemes: SCHEMES });
    } catch (cause) {
      if (!(cause instanceof AddressBlocked)) throw cause;
      const errors = [{ pointer, code: cause.reason, message: cause.message }];
      throw new AppError('ADDRESS_BLOCKED', { cause, errors });
    }
  },

  async readMetadata(url: string) {
    try {
      const asked = {
        method: 'GET',
        url,
        schemes: SCHEMES,
        timeoutMs: 5_000,
        maxBytes: MAX_METADATA_BYTES,
        redirects: 3,
      };
      const reply = await guardedRequest(guard, asked);
      const text = (await buffer(decodedBody(reply, MAX_METADATA_BYTES))).toString('utf8');
      if (reply.status !== 200) throw new Error(`the server answered ${reply.status}`);
      return text;
    } catch (cause) {
      const detail = `The metadata cannot be read: ${(cause as Error).message}.`.slice(0, 500);
      throw new AppError('SAML_METADATA_INVALID', { cause, detail });
    }
  },
};

export const handler = endpointGroup(
  [
    bindPublic(signInRoutes.discoverSignIn, ({ body }) => discoverSignIn(deps, body.email)),
    bindPublic(
      signInRoutes.startSso,
      async ({ params, query, headers }) =>
        new Redirect(await startSso(deps, { ...params, ...query, base: baseUrl(headers) })),
    ),
    bindPublic(signInRoutes.finishOidc, async ({ params: { slug }, query, log }) => {
      const fields = query as Record<string, string>;
      return new Redirect(await finishSso(deps, { slug, type: 'oidc', state: query.state, fields, log }));
    }),
    bindPublic(signInRoutes.finishSaml, async ({ params: { slug }, body, log }) => {
      const { RelayState: state, SAMLResponse } = body;
      return new Redirect(await finishSso(deps, { slug, type: 'saml', state, fields: { SAMLResponse }, log }));
    }),
    bindPublic(signInRoutes.getSamlMetadata, async ({ params: { slug }, headers }) => {
      const { saml } = await requireProvider(deps, slug);
      if (!saml) throw new AppError('IDENTITY_PROVIDER_NOT_FOUND');
      const { samlServiceMetadata } = await import('./saml.ts');
      const callback = callbackUrl(baseUrl(headers), slug);
      return new Content(samlServiceMetadata(callback, audienceOf(callback)));
    }),
    bindPublic(signInRoutes.exchangeSsoCode, ({ body, sourceIp, headers, newId: sessionId }) =>
      exchangeCode(deps, { ...body, sourceIp, userAgent: headers['user-agent'], sessionId }),
    ),

    bind(providerRoutes.createIdentityProvider, async ({ principal, body, newId: id, headers }) => {
      const { companyId, userId } = principal;
      const provider = await createProvider(deps, { id, companyId, userId, provider: body });
      return showProvider(deps, provider, baseUrl(headers));
    }),
    bind(providerRoutes.listIdentityProviders, async ({ principal, headers }) => {
      const providers = await deps.providers.list(principal.companyId);
      const items = await Promise.all(providers.map((each) => showProvider(deps, each, baseUrl(headers))));
      return { items, total: items.length };
    }),
    bind(providerRoutes.getIdentityProvider, async ({ principal: { companyId }, params: { id }, headers }) =>
      showProvider(deps, await findProvider(deps, { companyId, id }), baseUrl(headers)),
    ),
    bind(providerRoutes.updateIdentityProvider, async ({ principal, params: { id }, body: change, headers }) => {
      const { companyId, userId } = principal;
      const provider = await updateProvider(deps, { companyId, id, userId, change });
      return showProvider(deps, provider, baseUrl(headers));
    }),
    bind(providerRoutes.deleteIdentityProvider, async ({ principal: { companyId }, params: { id } }) =>
      deps.providers.remove(await findProvider(deps, { companyId, id })),
    ),
    bind(providerRoutes.testIdentityProvider, async ({ principal: { companyId }, params: { id } }) =>
      testProvider(deps, await findProvider(deps, { companyId, id })),
    ),
    bind(providerRoutes.verifySsoDomain, async ({ principal: { companyId }, params: { id, domain }, headers }) => {
      const provider = await findProvider(deps, { companyId, id });
      const listed = provider.domains.find(({ name }) => name === domain.toLowerCase());
      if (!listed) throw new AppError('DOMAIN_NOT_LISTED');
      await deps.domains.verify(provider, listed, deps.readTexts);
      return showProvider(deps, provider, baseUrl(headers));
    }),
    bind(providerRoutes.removeIdentity, async ({ principal: { companyId }, params: { id, userId } }) => {
      const provider = await findProvider(deps, { companyId, id });
      if (!(await deps.identities.unlink(provider, userId))) throw new AppError('IDENTITY_NOT_FOUND');
    }),
    bind(providerRoutes.getSsoEnforcement, ({ principal: { companyId } }) => readEnforcement(table, companyId)),
    bind(providerRoutes.setSsoEnforcement, ({ principal: { companyId, userId }, body }) =>
      setEnforcement(deps, { ...body, companyId, userId }),
    ),
  ],
  group,
);
