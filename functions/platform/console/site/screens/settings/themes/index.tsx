import { useState } from 'preact/hooks';
import { useAction } from '../../../data/action.ts';
import { api, type Types } from '../../../data/client.ts';
import { useList } from '../../../data/list.ts';
import { problemOf } from '../../../data/problem.ts';
import { refreshQueries } from '../../../data/query.ts';
import { DeleteDialog } from '../../../shell/delete-record.tsx';
import { Button, IconButton } from '../../../ui/button.tsx';
import { Section } from '../../../ui/page.tsx';
import { Empty, Failed, Issue, Loading } from '../../../ui/states.tsx';
import { EditTheme, NewTheme } from './theme-form.tsx';

const KEY = ['themes'];

/** How dashboards, reports and stories look. */
export default function Themes() {
  const list = useList<Types.Theme>(KEY, (place) => api.themes.list(place));
  const [open, setOpen] = useState<Types.Theme | 'new'>();
  const [removing, setRemoving] = useState<Types.Theme>();
  const choose = useAction(async (id: string) => {
    await api.themes.setDefault(id);
    await refreshQueries(KEY);
  });
  const close = () => setOpen(undefined);
  const { items, error } = list;
  return (
    <Section
      title="Themes"
      actions={
        <Button look="main" icon="plus" isSmall onClick={() => setOpen('new')}>
          New theme
        </Button>
      }
    >
      {!items && (error ? <Failed problem={problemOf(error)} retry={list.refresh} /> : <Loading rows={3} />)}
      {items?.length === 0 && (
        <Empty icon="pencil" title="There is no theme yet">
          Dashboards use the colors of the platform until you create a theme.
        </Empty>
      )}
      <Issue problem={choose.problem} />
      <ul class="rows">
        {items?.map((theme) => (
          <li key={theme.id}>
            <div>
              <button type="button" class="link" onClick={() => setOpen(theme)}>
                {theme.name}
              </button>
              {theme.isDefault && <span class="tag">default</span>}
              <Palette colors={theme.tokens.palette} />
            </div>
            <span class="row-actions">
              {!theme.isDefault && (
                <Button isSmall aria-label={`Make default: ${theme.name}`} onClick={() => void choose.run(theme.id)}>
                  Make default
                </Button>
              )}
              <IconButton icon="trash-2" label={`Delete ${theme.name}`} onClick={() => setRemoving(theme)} />
            </span>
          </li>
        ))}
      </ul>
      {list.hasMore && items && (
        <Button isSmall onClick={() => list.need(items.length, items.length + 1)}>
          Show more
        </Button>
      )}
      {open === 'new' && <NewTheme close={close} />}
      {open !== undefined && open !== 'new' && <EditTheme theme={open} close={close} />}
      {removing && (
        <DeleteDialog
          what={`“${removing.name}”`}
          remove={async () => {
            await api.themes.delete(removing.id, { ifMatch: removing.revision });
            await refreshQueries(KEY);
          }}
          close={() => setRemoving(undefined)}
        >
          A theme that something uses cannot be deleted.
        </DeleteDialog>
      )}
    </Section>
  );
}

/** The colors of series, in their order. */
const Palette = ({ colors }: { colors: readonly string[] }) => (
  <svg
    class="theme-palette"
    viewBox={`0 0 ${colors.length * 20} 16`}
    height="16"
    role="img"
    aria-label={colors.join(', ')}
  >
    {colors.map((color, index) => (
      <rect key={`${index} ${color}`} x={index * 20} width="18" height="16" rx="3" fill={color} />
    ))}
  </svg>
);
