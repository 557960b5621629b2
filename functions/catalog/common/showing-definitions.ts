import { definitionRepository, type ObjectKind } from '../../../shared/domains/catalog/definitions/index.ts';
import type { OpenGroup } from '../../../shared/platform/http/open-group.ts';
import type { Route } from '../../../shared/platform/http/route.ts';

interface Shown extends Record<string, unknown> {
  id: string;
}

/**
 * A group whose replies say by which file an object is managed: those whose schema has `managedBy`. The objects of a
 * list are looked up together.
 */
export function showingDefinitions<G extends OpenGroup>(
  group: G,
  kind: ObjectKind,
  idOf: (object: Shown) => string = ({ id }) => id,
): G & Pick<OpenGroup, 'addToReply'> {
  const definitions = definitionRepository(group.table);
  return {
    ...group,
    async addToReply(route, reply, workspaceId) {
      if (typeof reply !== 'object' || reply === null || !showsDefinitions(route)) return reply;
      const objects = ('items' in reply ? reply.items : [reply]) as Shown[];
      const records = await definitions.findMany(workspaceId, kind, objects.map(idOf));
      const shown = objects.map((object) => {
        const { key = null, managedBy = null } = records.get(idOf(object)) ?? {};
        return { ...object, key, managedBy };
      });
      return 'items' in reply ? { ...reply, items: shown } : shown[0];
    },
  };
}

type Schema = Record<string, unknown>;

/** Whether the reply is one such object, or a list of them. */
function showsDefinitions({ success }: Route): boolean {
  const body = (success as { body?: Schema }).body;
  const items = (body?.properties as Record<string, Schema> | undefined)?.items?.items as Schema | undefined;
  return [body, items].some((schema) => schema !== undefined && hasManagedBy(schema));
}

const hasManagedBy = ({ properties, oneOf = [] }: Schema): boolean =>
  Object.hasOwn((properties ?? {}) as object, 'managedBy') || (oneOf as Schema[]).some(hasManagedBy);
