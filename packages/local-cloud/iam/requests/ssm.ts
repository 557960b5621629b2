import type { Requirements } from '../../core/access/authorizer.ts';
import { ANY, arnOf } from './place.ts';

interface Input {
  Name?: string;
  Names?: string[];
  Path?: string;
  ResourceId?: string;
}

export const ssmRequests: Requirements = (operation, { Name, Names, Path, ResourceId }: Input, place) => {
  const action = `ssm:${operation}`;
  const names = Names ?? [Name ?? Path ?? ResourceId].filter((name) => name !== undefined);
  if (names.length === 0) return [{ action, resource: ANY }];
  return names.map((name) => ({ action, resource: parameterArn(name) }));

  /** A name may have a leading slash and a version or label behind a colon. */
  function parameterArn(name: string): string {
    if (name.startsWith('arn:')) return name;
    const [bare = ''] = name.replace(/^\//, '').split(':', 1);
    return arnOf('ssm', place, `parameter/${bare}`);
  }
};
