import { useEffect, useState } from 'preact/hooks';
import { cardsOfPage, shownPage } from '../../data/boards.ts';
import { type Problem, problemOf } from '../../data/problem.ts';
import { type Attributes, linkAccess, openPreview, type Preview, type SharedObject } from '../../data/sharing.ts';
import { useTokens } from '../../data/themes.ts';
import { Failed, Loading } from '../../ui/states.tsx';
import { Board } from './board.tsx';
import type { SeenCard } from './seen-card.ts';

const PAUSE_MS = 600;

/** The first page of a dashboard as a reader with these attributes would see it. */
export function Audience({ shared, attributes }: { shared: SharedObject; attributes: Attributes }) {
  const [preview, setPreview] = useState<Preview | undefined>(undefined);
  const [problem, setProblem] = useState<Problem | undefined>(undefined);
  const [tries, tryAgain] = useState(0);
  const tokens = useTokens(preview?.content.theme);
  const wanted = JSON.stringify(attributes);
  useEffect(() => {
    let isCurrent = true;
    let opened: Preview | undefined;
    const timer = setTimeout(
      async () => {
        try {
          opened = await openPreview(shared, attributes);
          if (!isCurrent) return opened.close();
          setProblem(undefined);
          setPreview(opened);
        } catch (error) {
          if (isCurrent) setProblem(problemOf(error));
        }
      },
      preview ? PAUSE_MS : 0,
    );
    return () => {
      isCurrent = false;
      clearTimeout(timer);
      opened?.close();
    };
  }, [shared.id, wanted, tries]);
  const content = preview?.content;
  const page = content && shownPage(content.pages, undefined);
  const cards = content ? (cardsOfPage(content.cards, content.pages, page?.id) as unknown as SeenCard[]) : [];
  return (
    <section aria-label="What a reader sees">
      <h2>What a reader sees</h2>
      {problem && <Failed problem={problem} retry={() => tryAgain(tries + 1)} />}
      {!problem && (!preview || !tokens) && <Loading rows={5} />}
      {!problem && preview && tokens && (
        <Board
          key={preview.token}
          cards={cards}
          filters={preview.content.filters}
          tokens={tokens}
          timezone={null}
          access={linkAccess(preview.token, cards)}
        />
      )}
    </section>
  );
}
