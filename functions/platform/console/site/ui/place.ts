const EDGE_PX = 8;

/** Puts a layer below the button, or above it where there is more room, and within the window. */
export function place(layer: HTMLElement, button: HTMLElement, isRight: boolean): void {
  const at = button.getBoundingClientRect();
  const { offsetWidth: width, offsetHeight: height } = layer;
  const left = isRight ? at.right - width : at.left;
  const isAbove = at.bottom + height + EDGE_PX > innerHeight && at.top > innerHeight - at.bottom;
  layer.style.left = `${Math.max(EDGE_PX, Math.min(left, innerWidth - width - EDGE_PX))}px`;
  layer.style.top = `${isAbove ? Math.max(EDGE_PX, at.top - height - 4) : at.bottom + 4}px`;
}
