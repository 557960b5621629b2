import scalar from '@scalar/fastify-api-reference';

interface PluginRoute {
  url: string;
  handler(request: unknown, reply: PluginReply): unknown;
}
interface PluginReply {
  header(): PluginReply;
  send(body: string): void;
}

/**
 * The script of Scalar's viewer. Only its package for Fastify contains the script without 260 other packages, so the
 * script is read from the route that this plugin registers.
 */
export function viewerScript(): string {
  let script = '';
  const reply: PluginReply = {
    header: () => reply,
    send: (body) => {
      script = body;
    },
  };
  const server = {
    hasPlugin: () => false,
    log: console,
    route({ url, handler }: PluginRoute) {
      if (url.endsWith('.js')) handler({}, reply);
    },
  };
  const register = scalar as unknown as (at: typeof server, options: object, done: () => void) => void;
  register(server, { configuration: { url: '/api/openapi.json' } }, () => {});
  if (!script.includes('createApiReference'))
    throw new Error('@scalar/fastify-api-reference serves no viewer any more');
  return script.replace(/\n\/\/# sourceMappingURL=\S+\s*$/, '\n');
}
