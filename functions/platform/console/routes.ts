import { ASSET_TYPES } from '../../../shared/platform/http/asset-types.ts';
import { defineRoute } from '../../../shared/platform/http/route.ts';
import { AssetParams, ItemParams, PartParams, ScreenParams, ScreenQuery } from './schemas.ts';

const page = {
  method: 'GET',
  permission: 'public',
  query: ScreenQuery,
  success: { status: 200, contentTypes: ['text/html; charset=utf-8'] },
} as const;

export const getConsole = defineRoute({
  ...page,
  operationId: 'getConsole',
  path: '/api/console',
  summary: 'Get the console',
  description:
    'Returns the HTML page of the console, where people use the platform in a browser. It signs in and reads everything through this API.',
});

export const getConsoleScreen = defineRoute({
  ...page,
  operationId: 'getConsoleScreen',
  path: '/api/console/{screen}',
  summary: 'Get the console at a screen',
  description: 'Returns the same page as `GET /api/console`, which opens the screen of its address.',
  params: ScreenParams,
});

export const getConsoleItem = defineRoute({
  ...page,
  operationId: 'getConsoleItem',
  path: '/api/console/{screen}/{item}',
  summary: 'Get the console at an object',
  description: 'Returns the same page as `GET /api/console`, which opens the object of its address.',
  params: ItemParams,
});

export const getConsolePart = defineRoute({
  ...page,
  operationId: 'getConsolePart',
  path: '/api/console/{screen}/{item}/{part}',
  summary: 'Get the console at a part of an object',
  description: 'Returns the same page as `GET /api/console`, which opens the part of the object of its address.',
  params: PartParams,
});

export const getConsoleAsset = defineRoute({
  operationId: 'getConsoleAsset',
  method: 'GET',
  path: '/api/console/assets/{file}',
  summary: 'Get a file of the console',
  description:
    'Returns a script, a style sheet or the icons. The name contains a hash of the content, so browsers may cache the file indefinitely.',
  permission: 'public',
  params: AssetParams,
  success: { status: 200, contentTypes: [ASSET_TYPES.js, ASSET_TYPES.css, ASSET_TYPES.svg], chosenBy: 'path' },
  errors: ['PAGE_NOT_FOUND'],
});
