import { defineGroup, section } from '../group.ts';
import { examples as attributeExamples } from './attribute-examples.ts';
import * as attributeRoutes from './attribute-routes.ts';
import { resources } from './resources.ts';
import { examples as scimExamples } from './scim-examples.ts';
import * as scimRoutes from './scim-routes.ts';
import { examples as tokenExamples } from './token-examples.ts';
import * as tokenRoutes from './token-routes.ts';

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
