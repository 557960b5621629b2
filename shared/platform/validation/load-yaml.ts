/** Reads and writes YAML. Few requests do, so it is loaded by the first of them and not when a function starts. */
export const loadYaml = () => import('./yaml.ts');
