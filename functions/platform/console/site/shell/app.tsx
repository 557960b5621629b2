import { useEffect, useState } from 'preact/hooks';
import { ErrorBoundary } from 'preact-iso/lazy';
import { useLocation } from 'preact-iso/router';
import { useMe } from '../data/me.ts';
import { problemOf } from '../data/problem.ts';
import { connectionProblem, openSession, session } from '../data/session.ts';
import { BASE } from '../ui/address.ts';
import { Failed, Loading, NotAllowed } from '../ui/states.tsx';
import { Frame } from './frame.tsx';
import { applyStyle, isLoaded, lazyScreen } from './lazy-screen.tsx';
import { NotFound } from './not-found.tsx';
import { type Found, isOpenTo, screenAt } from './registry.ts';

/** The sign-in, the screen of the address in the frame of the console, or what prevents it. */
export function App() {
  const { path } = useLocation();
  const found = screenAt(path.slice(BASE.length));
  useTitle(found);
  if (found?.screen.isPublic) return <Bare found={found} />;
  if (session.value === null) return <Bare found={screenAt('/sign-in')!} />;
  if (connectionProblem.value) {
    return (
      <main class="bare">
        <Failed isPage problem={problemOf(connectionProblem.value)} retry={() => void openSession().catch(() => {})} />
      </main>
    );
  }
  if (session.value === undefined) return <Waiting />;
  return <SignedIn found={found} />;
}

function SignedIn({ found }: { found: Found | undefined }) {
  const me = useMe();
  if (me.error) {
    return (
      <main class="bare">
        <Failed isPage problem={problemOf(me.error)} retry={me.refresh} />
      </main>
    );
  }
  if (!me.data) return <Waiting />;
  return (
    <Frame me={me.data} found={found}>
      {found ? <Shown found={found} /> : <NotFound />}
    </Frame>
  );
}

function Shown({ found: { screen, params } }: { found: Found }) {
  const { query } = useLocation();
  if (!isOpenTo(screen)) {
    return (
      <NotAllowed
        isPage
        title={`“${screen.title}” is for ${screen.role === 'admin' ? 'admins' : 'editors and admins'}`}
      >
        Your role does not include it. An admin of the workspace can change your role.
      </NotAllowed>
    );
  }
  return <Opened key={screen.path} screen={screen} params={params} query={query} />;
}

/** Public screens have no navigation around them. */
function Bare({ found: { screen, params } }: { found: Found }) {
  const { query } = useLocation();
  return (
    <main class="bare" id="content">
      <Opened key={screen.path} screen={screen} params={params} query={query} />
    </main>
  );
}

interface OpenedProps {
  screen: Found['screen'];
  params: Record<string, string>;
  query: Record<string, string>;
}

/** Shows the screen as soon as it is loaded, and in its place the error that it fails with. */
function Opened({ screen, params, query }: OpenedProps) {
  const Component = lazyScreen(screen);
  const [state, setState] = useState<{ isReady: boolean; error?: unknown }>(() => {
    const isReady = isLoaded(screen);
    if (isReady) applyStyle(screen);
    return { isReady };
  });
  useEffect(() => {
    if (state.isReady) return;
    let isCurrent = true;
    const show = (error?: unknown) => {
      if (!isCurrent) return;
      applyStyle(screen);
      setState({ isReady: true, error });
    };
    Component.preload().then(() => show(), show);
    return () => {
      isCurrent = false;
    };
  }, [Component]);
  if (state.error !== undefined)
    return <Failed isPage problem={problemOf(state.error)} retry={() => location.reload()} />;
  if (!state.isReady) return <Loading isPage />;
  return (
    <ErrorBoundary onError={(error) => setState({ isReady: true, error })}>
      <Component params={params} query={query} />
    </ErrorBoundary>
  );
}

const Waiting = () => (
  <main class="bare">
    <Loading isPage rows={3} />
  </main>
);

function useTitle(found: Found | undefined): void {
  const title = found?.screen.title ?? 'Not found';
  useEffect(() => {
    document.title = `${title} – Analytics`;
  }, [title]);
}
