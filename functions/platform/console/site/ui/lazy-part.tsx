import type { ComponentChildren, ComponentType } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { loadScript } from './loading.ts';
import { Failed } from './states.tsx';

interface State<P> {
  part?: ComponentType<P> | undefined;
  /** Why it could not be loaded. */
  error?: Error;
}

/**
 * A part that is loaded when it is first shown, such as a layer that few people open. If that fails, its place says so;
 * `inFrame` puts what it says into a frame, such as the dialog that the part is.
 */
export function lazyPart<P extends object>(
  load: () => Promise<{ default: ComponentType<P> }>,
  inFrame: (failure: ComponentChildren) => ComponentChildren = (failure) => failure,
): ComponentType<P> {
  let loaded: ComponentType<P> | undefined;
  return function LazyPart(props: P) {
    const [{ part: Part, error }, set] = useState<State<P>>({ part: loaded });
    useEffect(() => {
      if (Part) return;
      let isShown = true;
      loadScript(load).then(
        (module) => {
          loaded = module.default;
          if (isShown) set({ part: loaded });
        },
        (failure: Error) => {
          if (isShown) set({ error: failure });
        },
      );
      return () => {
        isShown = false;
      };
    }, []);
    if (error) return <>{inFrame(<NotLoaded error={error} />)}</>;
    return Part ? <Part {...props} /> : <span hidden aria-busy="true" />;
  };
}

/** In the place of what could not be loaded. The page that is loaded again has the scripts of the current version. */
export const NotLoaded = ({ error }: { error: Error }) => (
  <Failed problem={{ sentence: error.message }} retry={() => location.reload()} />
);
