import { useRef } from 'preact/hooks';

interface FirstTry {
  /** When it was first tried, in milliseconds. */
  at(): number;
  /** It has succeeded. */
  end(): void;
}

/** A request that contains a time is repeated with the time of its first try: as the same request, it is done once. */
export function useFirstTry(): FirstTry {
  const at = useRef<number | undefined>(undefined);
  return {
    at: () => {
      at.current ??= Date.now();
      return at.current;
    },
    end: () => {
      at.current = undefined;
    },
  };
}
