export const examples = {
  streamRunEvents: {},
};
