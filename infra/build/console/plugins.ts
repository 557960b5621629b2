import type { Plugin } from 'esbuild';

/** The generated table of operations, so that a build writes nothing beside the sources of the client. */
export const generatedClient = (operations: string): Plugin => ({
  name: 'generated-client',
  setup(build) {
    build.onResolve({ filter: /\/generated\/operations\.ts$/ }, ({ path }) => ({ path, namespace: 'generated' }));
    build.onLoad({ filter: /.*/, namespace: 'generated' }, () => ({ contents: operations, loader: 'ts' }));
  },
});
