import type { ComponentChildren } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { chartImage } from '../../data/chart-image.ts';
import { api, type Types } from '../../data/client.ts';
import { useQuery } from '../../data/query.ts';
import { isNumeric, valueText } from '../../ui/format.ts';
import { Picture } from '../../ui/picture.tsx';
import { Portal } from './portal.tsx';

const WIDTH = 640;
const MARGIN = 90;
const MAX_ROWS = 5;
/** Of one request. */
const MAX_BLOCKS = 50;

/** What the live blocks of a section show, drawn into their places in the text. */
export function useBlocks(storyId: string, editSeq: number) {
  const [places, setPlaces] = useState<readonly HTMLElement[]>([]);
  // A slot of a template has nothing to read.
  const readable = places.filter(({ dataset }) => dataset.block !== '' && dataset.slot === undefined);
  const ids = [...new Set(readable.map(({ dataset }) => dataset.block!))].slice(0, MAX_BLOCKS);
  const isDark = document.body.classList.contains('dark-mode');
  const { data: read, refresh } = useQuery(
    ['stories', storyId, 'blocks', ids, isDark],
    () => {
      const image = chartImage(isDark, Math.min(WIDTH, innerWidth - MARGIN));
      return api.stories.readBlocks(storyId, { blocks: ids.map((blockId) => ({ blockId, image })) }, { view: 'draft' });
    },
    { enabled: ids.length > 0, keepsLast: true },
  );
  const resultOf = (id: string) => read?.blocks.find(({ blockId }) => blockId === id);
  useEffect(() => {
    // A block that was inserted can be read once the text is saved.
    if (read && ids.some((id) => !resultOf(id)?.data)) refresh();
  }, [editSeq]);
  const pictures: ComponentChildren = places.map((place) => (
    <Portal key={place.dataset.block} place={place}>
      {place.dataset.slot === undefined ? (
        <Block result={resultOf(place.dataset.block!)} />
      ) : (
        <p class="hint">{place.dataset.slot}: put a card or a chart here.</p>
      )}
    </Portal>
  ));
  return { fill: setPlaces, pictures };
}

/** A chart as the platform draws it, or the first rows. */
function Block({ result }: { result: Types.StoryBlockResult | undefined }) {
  const { data, problem } = result ?? { data: null, problem: null };
  if (!result || problem?.code === 'STORY_BLOCK_NOT_FOUND')
    return <p class="hint">Live block: it is shown once the text is saved.</p>;
  if (!data) return <p class="hint">This block cannot be shown: {problem?.detail}</p>;
  if (data.image !== undefined) return <Picture svg={data.image} label="Chart" />;
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls is scrolled by keys too.
    <div class="block-rows" tabIndex={0}>
      <table class="table">
        <thead>
          <tr>
            {data.columns.map(({ name, type }) => (
              <th key={name} scope="col" class={isNumeric(type) ? 'number' : undefined}>
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {data.rows.slice(0, MAX_ROWS).map((row, index) => (
            <tr key={index}>
              {row.map((value, column) => (
                <td key={column} class={isNumeric(data.columns[column]!.type) ? 'number' : undefined}>
                  {value === null ? <span class="hint">null</span> : valueText(value)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
