/** What draws is large and needed for pictures alone: a module of its own, which is loaded on demand. */
export { drawChart, drawMessage } from '../../../data/charts/draw.ts';
