import type { ComponentType } from 'preact';
import { useEffect, useState } from 'preact/hooks';

/** A part that is loaded when it is first shown, such as a layer that few people open. */
export function lazyPart<P extends object>(load: () => Promise<{ default: ComponentType<P> }>): ComponentType<P> {
  let loaded: ComponentType<P> | undefined;
  return function LazyPart(props: P) {
    const [, show] = useState(0);
    useEffect(() => {
      if (loaded) return;
      let isShown = true;
      void load().then(({ default: component }) => {
        loaded = component;
        if (isShown) show(1);
      });
      return () => {
        isShown = false;
      };
    }, []);
    const Component = loaded;
    return Component ? <Component {...props} /> : <span hidden aria-busy="true" />;
  };
}
