import { defineGroup, section } from '../../group.ts';
import { providerExamples, signInExamples } from './examples.ts';
import * as providerRoutes from './providers/routes.ts';
import { resources } from './resources.ts';
import * as signInRoutes from './sign-in/routes.ts';

export const group = defineGroup({
  name: 'sso',
  paths: ['/api/auth/sso', '/api/identity-providers'],
  sections: [
    section(
      'Single sign-on',
      'Sign in through the identity provider of a company, by OpenID Connect or SAML.',
      signInRoutes,
      signInExamples,
    ),
    section(
      'Identity providers',
      'How the people of a company sign in: its providers, their mail domains, and who becomes a member. For company admins.',
      providerRoutes,
      providerExamples,
    ),
  ],
  resources,
});
