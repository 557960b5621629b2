import type { Step } from '../../data/pipelines.ts';

type Config = Record<string, unknown>;

const member = (config: Config, name: string): Config => (config[name] ?? {}) as Config;

/** What a step does, as a node of the graph says it. */
export function stepInWords({ type, config }: Pick<Step, 'type'> & { config: unknown }): string {
  const given = (config ?? {}) as Config;
  switch (type) {
    case 'extract': {
      const { table, path, query, stream, dataset } = member(given, 'object');
      if (dataset !== undefined) return named('reads dataset', dataset);
      if (stream !== undefined) return named('reads stream', stream);
      if (query !== undefined) return 'reads a query';
      if (path !== undefined) return named('reads file', path);
      return named('reads table', table);
    }
    case 'transform_sql':
      return Array.isArray(given.ops) ? 'recipe' : 'SQL';
    case 'transform_code':
      return given.language === 'typescript' ? 'TypeScript' : 'JavaScript';
    case 'route':
      return `splits into ${(Array.isArray(given.routes) ? given.routes.length : 0) + 1}`;
    case 'load': {
      const { kind, name, table, path } = member(given, 'target');
      if (kind === 'table') return named('loads table', table);
      if (kind === 'files') return named('loads files', path);
      return named('loads dataset', name);
    }
    default:
      return String(type).replaceAll('_', ' ');
  }
}

const named = (what: string, name: unknown): string => (name === undefined || name === '' ? what : `${what} ${name}`);
