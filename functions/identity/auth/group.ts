import { defineGroup, section } from '../../group.ts';
import { deviceExamples } from './devices/examples.ts';
import * as deviceRoutes from './devices/routes.ts';
import { examples } from './examples.ts';
import { passkeyExamples } from './passkeys/examples.ts';
import * as passkeyRoutes from './passkeys/routes.ts';
import { resources } from './resources.ts';
import * as routes from './routes.ts';

export const group = defineGroup({
  name: 'auth',
  paths: ['/api/auth'],
  sections: [
    section('Auth', 'Sign in, renew and end sign-ins; profile and password.', routes, examples),
    section('Passkeys', 'Sign in with passkeys (WebAuthn), and manage them.', passkeyRoutes, passkeyExamples),
    section(
      'Sign-in by device',
      'Sign in programs by a code that a person types (RFC 8628), or by a browser on the same computer (RFC 8252).',
      deviceRoutes,
      deviceExamples,
    ),
  ],
  resources,
});
