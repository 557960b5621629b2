export const examples = {
  getEntitlements: {},
  getProductUsage: {},
};
