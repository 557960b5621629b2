import Type from 'typebox';
import { defineRoute } from '../../shared/platform/http/route.ts';

export const getOpenApi = defineRoute({
  operationId: 'getOpenApi',
  method: 'GET',
  path: '/api/openapi.json',
  summary: 'Get the OpenAPI document',
  description: 'This document.',
  permission: 'public',
  success: { status: 200, body: Type.Record(Type.String(), Type.Unknown()) },
});

export const getReference = defineRoute({
  operationId: 'getReference',
  method: 'GET',
  path: '/api/docs',
  summary: 'Get the reference page',
  description: 'An HTML page that shows this document and can call the API.',
  permission: 'public',
  success: { status: 200, contentTypes: ['text/html; charset=utf-8'] },
});

export const getReferenceViewer = defineRoute({
  operationId: 'getReferenceViewer',
  method: 'GET',
  path: '/api/docs/viewer.js',
  summary: 'Get the script of the reference page',
  permission: 'public',
  success: { status: 200, contentTypes: ['text/javascript; charset=utf-8'] },
});
