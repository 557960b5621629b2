import { api } from '../../data/client.ts';
import { hasRole, useMe } from '../../data/me.ts';
import { useQuery } from '../../data/query.ts';
import { counted } from '../../ui/format.ts';
import { Icon } from '../../ui/icon.tsx';

/** Which rows of protected tables the person sees. The API says it to admins. */
export function RowRights({ modelId }: { modelId: string }) {
  const me = useMe().data;
  const userId = me?.user.id;
  const { data } = useQuery(
    ['explore', modelId, 'rights', userId],
    () => api.models.previewAccess(modelId, { userId: userId! }),
    { enabled: hasRole(me, 'admin') },
  );
  const limited = data?.tables.filter(({ rows }) => rows !== 'all') ?? [];
  if (limited.length === 0) return null;
  return (
    <ul class="explore-rights">
      {limited.map(({ tableId, alias, visibleRows }) => (
        <li key={tableId}>
          <Icon name="lock" size={16} />
          {visibleRows == null
            ? `You see only some rows of ${alias}.`
            : `You see ${counted(visibleRows, 'row')} of ${alias}, which is protected.`}
        </li>
      ))}
    </ul>
  );
}
