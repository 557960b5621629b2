import * as Type from 'typebox';
import { ASSET_TYPES } from '../../../shared/platform/http/asset-types.ts';
import { defineRoute } from '../../../shared/platform/http/route.ts';

const HTML = 'text/html; charset=utf-8';

export const getStart = defineRoute({
  operationId: 'getStart',
  method: 'GET',
  path: '/api/',
  summary: 'Open the documentation',
  description: 'Redirects from the address of the API to the reference page.',
  permission: 'public',
  success: { status: 302, to: '/api/docs' },
});

export const getOpenApi = defineRoute({
  operationId: 'getOpenApi',
  method: 'GET',
  path: '/api/openapi.json',
  summary: 'Get the OpenAPI document',
  description: 'This document.',
  permission: 'public',
  success: { status: 200, contentTypes: ['application/json'], body: Type.Record(Type.String(), Type.Unknown()) },
});

export const getReference = defineRoute({
  operationId: 'getReference',
  method: 'GET',
  path: '/api/docs',
  summary: 'Get the reference page',
  description: 'An HTML page that shows this document and can call the API.',
  permission: 'public',
  success: { status: 200, contentTypes: [HTML] },
});

export const listGuides = defineRoute({
  operationId: 'listGuides',
  method: 'GET',
  path: '/api/docs/guides',
  summary: 'Get the list of guides',
  description: 'An HTML page that leads to every guide.',
  permission: 'public',
  success: { status: 200, contentTypes: [HTML] },
});

export const getGuide = defineRoute({
  operationId: 'getGuide',
  method: 'GET',
  path: '/api/docs/guides/{slug}',
  summary: 'Get a guide',
  description: 'An HTML page on one subject.',
  permission: 'public',
  params: Type.Object({
    slug: Type.String({
      maxLength: 100,
      pattern: '^[a-z0-9-]+$',
      description: 'The name of the guide, such as `webhooks`.',
    }),
  }),
  success: { status: 200, contentTypes: [HTML] },
  errors: ['PAGE_NOT_FOUND'],
});

export const getDocsAsset = defineRoute({
  operationId: 'getDocsAsset',
  method: 'GET',
  path: '/api/docs/assets/{file}',
  summary: 'Get a file of the pages',
  description:
    'A script, a style sheet, an icon or the search index. The name carries a digest of the content, so a browser may keep the file for good.',
  permission: 'public',
  params: Type.Object({
    file: Type.String({
      maxLength: 100,
      pattern: `^[a-z-]+\\.[0-9a-f]{12}\\.(${Object.keys(ASSET_TYPES).join('|')})$`,
      description: 'The name of a file that a page links to.',
    }),
  }),
  success: {
    status: 200,
    contentTypes: [ASSET_TYPES.js, ASSET_TYPES.css, ASSET_TYPES.json, ASSET_TYPES.svg],
    chosenBy: 'path',
  },
  errors: ['PAGE_NOT_FOUND'],
});
