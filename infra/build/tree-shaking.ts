import { readFile } from 'node:fs/promises';
import type { Plugin } from 'esbuild';

/**
 * Makes the SDK's clients tree-shakable, so that a bundle contains only the operations that it calls. Schemas use
 * computed member names (`[_h]: …`), which a bundler must treat as side effects; they are replaced by literals. The
 * registry of errors is reduced to those that our operations can cause; any other arrives as the service's base error
 * with its own name. The aggregate client with a method for every operation is removed.
 */
export const SDK_TREE_SHAKING: Plugin = {
  name: 'sdk-tree-shaking',
  setup(build) {
    build.onLoad({ filter: /@aws-sdk\/client-[\w-]+\/dist-es\/schemas\/schemas_\d+\.js$/ }, async ({ path }) => {
      const source = await readFile(path, 'utf8');
      const texts = new Map(
        [...source.matchAll(/^const (_\w+) = ("[^"]*");$/gm)].map(([, name, text]) => [name, text]),
      );
      return {
        contents: source
          .replaceAll(/\[(_\w+)\]:/g, (all, name) => (texts.has(name) ? `${texts.get(name)}:` : all))
          .replaceAll(/^n0_registry\.registerError\((\w+)\$, \1\);$/gm, (all, name) =>
            path.includes('/client-ssm/') && !ERRORS_OF_PARAMETERS.test(name) ? '' : all,
          ),
      };
    });
    build.onLoad({ filter: /@aws-sdk\/client-[\w-]+\/dist-es\/index\.js$/ }, async ({ path }) => {
      const source = await readFile(path, 'utf8');
      return { contents: source.replace(/(export \* from "\.\/(\w+)Client";\n)export \* from "\.\/\2";\n/, '$1') };
    });
  },
};

/** Those of Systems Manager's 140 errors that its parameter operations can cause. */
const ERRORS_OF_PARAMETERS =
  /^(Parameter\w+|InvalidKeyId|InternalServerError|ThrottlingException|AccessDeniedException)$/;
