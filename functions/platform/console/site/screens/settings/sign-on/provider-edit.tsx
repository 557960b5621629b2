import { api, type Types } from '../../../data/client.ts';
import { refreshQueries } from '../../../data/query.ts';
import { useEdit } from '../../../data/versioned.ts';
import { Changed } from '../../../ui/changed.tsx';
import type { Difference } from '../../../ui/differences.ts';
import { toast } from '../../../ui/toast.tsx';

/** A change of some members of the provider. */
export const useProviderEdit = (provider: Types.IdentityProvider, body: () => Types.UpdateIdentityProvider) =>
  useEdit(
    provider,
    () => api.identityProviders.get(provider.id),
    async (ifMatch) => {
      const saved = await api.identityProviders.update(provider.id, body(), { ifMatch });
      await refreshQueries(['providers']);
      toast('The provider is saved.');
      return saved;
    },
  );

interface TheirProviderProps {
  edit: ReturnType<typeof useProviderEdit>;
  differences?: readonly Difference[];
}

export const TheirProvider = ({ edit, differences = [] }: TheirProviderProps) => (
  <Changed
    differences={differences}
    keepMine={() => void edit.keepMine()}
    takeTheirs={() => {
      edit.takeTheirs();
      void refreshQueries(['providers']);
    }}
  />
);
