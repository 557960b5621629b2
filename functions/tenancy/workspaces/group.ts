import { defineGroup, section } from '../../group.ts';
import { examples as attributeExamples } from './attributes/examples.ts';
import * as attributeRoutes from './attributes/routes.ts';
import { examples } from './examples.ts';
import { examples as exportExamples } from './exports/examples.ts';
import * as exportRoutes from './exports/routes.ts';
import { examples as invitationExamples } from './invitations/examples.ts';
import * as invitationRoutes from './invitations/routes.ts';
import { resources } from './resources.ts';
import * as routes from './routes.ts';
import { examples as secretExamples } from './secrets/examples.ts';
import * as secretRoutes from './secrets/routes.ts';

export const group = defineGroup({
  name: 'workspaces',
  paths: ['/api/workspaces', '/api/secrets'],
  sections: [
    section(
      'Workspaces',
      'Workspaces of the company, their members and invitations. Everything else belongs to one workspace, the one that the caller is signed in to.',
      { ...routes, ...invitationRoutes, ...attributeRoutes },
      { ...examples, ...invitationExamples, ...attributeExamples },
    ),
    section(
      'Exports of workspaces',
      'Everything of a workspace in one archive, in open formats.',
      exportRoutes,
      exportExamples,
    ),
    section(
      'Secrets',
      'Values that pipelines use by name, as `{{ secrets.<name> }}`. A value is stored encrypted and never returned.',
      secretRoutes,
      secretExamples,
    ),
  ],
  resources,
});
