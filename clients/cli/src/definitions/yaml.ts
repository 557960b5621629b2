/** Keeps comments and places of texts. Few commands read files, so it is loaded by the first of them. */
export const loadYaml = () => import('yaml');

/** As the platform reads files. */
export const YAML_OPTIONS = { schema: 'core', version: '1.2', merge: false } as const;

export interface Place {
  line: number;
  column: number;
}
