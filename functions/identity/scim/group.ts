import { defineGroup, section } from '../../group.ts';
import { examples as attributeExamples } from './attributes/examples.ts';
import * as attributeRoutes from './attributes/routes.ts';
import { examples as scimExamples } from './examples.ts';
import { resources } from './resources.ts';
import * as scimRoutes from './routes.ts';
import { examples as tokenExamples } from './tokens/examples.ts';
import * as tokenRoutes from './tokens/routes.ts';

export const group = defineGroup({
  name: 'scim',
  paths: ['/api/scim'],
  sections: [
    section(
      'SCIM tokens',
      'Credentials by which an identity provider creates, changes and removes the people of the company.',
      tokenRoutes,
      tokenExamples,
    ),
    section(
      'Attributes from provisioning',
      'Company admins choose which values of the identity provider become attributes of people, for rules about rows.',
      attributeRoutes,
      attributeExamples,
    ),
    section(
      'SCIM',
      'Users and groups as SCIM 2.0 (RFC 7643 and RFC 7644) defines them, for identity providers. Errors have the form of SCIM.',
      scimRoutes,
      scimExamples,
    ),
  ],
  resources,
});
