import { defineRoute } from '../../../shared/platform/http/route.ts';
import { CreateTheme, Theme, ThemeListQuery, ThemePage, ThemeParams, UpdateTheme } from './schemas.ts';

export const listThemes = defineRoute({
  operationId: 'listThemes',
  method: 'GET',
  path: '/api/themes',
  summary: 'List themes',
  permission: 'themes:read',
  query: ThemeListQuery,
  success: { status: 200, body: ThemePage },
  errors: ['OFFSET_TOO_LARGE', 'LIST_TOO_LARGE'],
});

export const createTheme = defineRoute({
  operationId: 'createTheme',
  method: 'POST',
  path: '/api/themes',
  summary: 'Create a theme',
  permission: 'themes:manage',
  body: CreateTheme,
  success: { status: 201, body: Theme, versioned: true },
  errors: ['THEME_NAME_TAKEN'],
  idempotent: true,
  audit: 'theme.created',
});

export const getTheme = defineRoute({
  operationId: 'getTheme',
  method: 'GET',
  path: '/api/themes/{id}',
  summary: 'Get a theme',
  permission: 'themes:read',
  params: ThemeParams,
  success: { status: 200, body: Theme, versioned: true },
  errors: ['THEME_NOT_FOUND'],
});

export const updateTheme = defineRoute({
  operationId: 'updateTheme',
  method: 'PUT',
  path: '/api/themes/{id}',
  summary: 'Update a theme',
  permission: 'themes:manage',
  params: ThemeParams,
  body: UpdateTheme,
  success: { status: 200, body: Theme, versioned: true },
  errors: ['THEME_NOT_FOUND', 'THEME_NAME_TAKEN'],
  audit: 'theme.updated',
});

export const deleteTheme = defineRoute({
  operationId: 'deleteTheme',
  method: 'DELETE',
  path: '/api/themes/{id}',
  summary: 'Delete a theme',
  description: 'Clients draw dashboards that refer to it with the default theme. The default theme cannot be deleted.',
  permission: 'themes:manage',
  params: ThemeParams,
  success: { status: 204, versioned: true },
  errors: ['THEME_NOT_FOUND', 'THEME_IS_DEFAULT', 'REFERENCED'],
  audit: 'theme.deleted',
});

export const setDefaultTheme = defineRoute({
  operationId: 'setDefaultTheme',
  method: 'POST',
  path: '/api/themes/{id}/default',
  summary: 'Set the default theme',
  permission: 'themes:manage',
  params: ThemeParams,
  success: { status: 200, body: Theme, versioned: true },
  errors: ['THEME_NOT_FOUND'],
  audit: 'theme.default_set',
});
