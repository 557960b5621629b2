/** Shows the API in Scalar's viewer, which the page loads before this script. */

import { makeReachable } from './reachable.ts';

interface Viewer {
  createApiReference(place: string, settings: object): void;
}
declare const Scalar: Viewer;

Scalar.createApiReference('#reference', {
  url: '/api/openapi.json',
  // Everything that would contact another host, or lead the reader there, is disabled.
  agent: { disabled: true },
  documentDownloadType: 'direct',
  hideClientButton: true,
  mcp: { disabled: true },
  persistAuth: false,
  proxyUrl: '',
  showDeveloperTools: 'never',
  telemetry: false,
  withDefaultFonts: false,
  // The header of the page has its own.
  hideDarkModeToggle: true,
  hideSearch: true,
  defaultOpenFirstTag: false,
  // Search results and guides link to operations by their ids.
  generateOperationSlug: ({ operationId }: { operationId: string }) => operationId,
  authentication: { preferredSecurityScheme: 'apiKey' },
  defaultHttpClient: { targetKey: 'shell', clientKey: 'curl' },
  hiddenClients: {
    ...allOf(
      'c',
      'clojure',
      'csharp',
      'dart',
      'fsharp',
      'go',
      'http',
      'java',
      'julia',
      'kotlin',
      'node',
      'objc',
      'ocaml',
      'php',
    ),
    ...allOf('powershell', 'r', 'ruby', 'rust', 'swift'),
    js: ['axios', 'jquery', 'ofetch', 'xhr'],
    python: ['aiohttp', 'httpx_async', 'httpx_sync', 'python3'],
    shell: ['httpie', 'wget'],
  },
});

makeReachable(document.querySelector('#reference')!);

function allOf(...languages: string[]): Record<string, true> {
  return Object.fromEntries(languages.map((language) => [language, true]));
}
