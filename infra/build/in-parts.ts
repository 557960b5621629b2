import { readFile } from 'node:fs/promises';
import type { Plugin } from 'esbuild';

/**
 * Lets a bundle hold those operations of a service that it calls, and not all. The SDK names the members of its schemas by
 * constants (`[_h]: …`), which a bundler must take for code with effects: they are written out. It registers every error of
 * the service: those that can come of no operation here are left out (such a one would come as the service's base error, with
 * its own name). And its index brings a client with every operation as a method, which nothing here uses.
 */
export const SDK_IN_PARTS: Plugin = {
  name: 'sdk-in-parts',
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

/** Of the 140 errors of Systems Manager. */
const ERRORS_OF_PARAMETERS =
  /^(Parameter\w+|InvalidKeyId|InternalServerError|ThrottlingException|AccessDeniedException)$/;

/** `Type` as a whole is an object of everything; as a namespace it is what is used of it. */
export const TYPEBOX_IN_PARTS: Plugin = {
  name: 'typebox-in-parts',
  setup(build) {
    build.onLoad({ filter: /\/(functions|shared)\/.*\.ts$/ }, async ({ path }) => {
      const source = await readFile(path, 'utf8');
      if (!source.includes("from 'typebox'")) return undefined;
      const contents = source.replace(
        /^import Type(?:, \{(?:\s*type \w+,?)*\s*\})? from 'typebox';$/m,
        "import * as Type from 'typebox';",
      );
      return { contents, loader: 'ts' };
    });
  },
};
