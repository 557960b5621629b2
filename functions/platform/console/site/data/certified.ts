import { ApiError, api } from './client.ts';
import { useQuery } from './query.ts';

const MAX = 200;

type AssetType = NonNullable<NonNullable<Parameters<typeof api.catalog.listAssets>[0]>['type']>;

/** The ids of the certified objects of a type. A list is shown without them while they are read, or if that fails. */
export const useCertified = (type: AssetType): ReadonlySet<string> =>
  useQuery(
    ['certified', type],
    async () => {
      try {
        const { items } = await api.catalog.listAssets({ type, certified: true, limit: MAX });
        return new Set(items.map(({ id }) => id));
      } catch (error) {
        if (error instanceof ApiError) return new Set<string>();
        throw error;
      }
    },
    { everyMs: 60_000 },
  ).data ?? new Set<string>();
