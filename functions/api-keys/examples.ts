export const examples = {
  createApiKey: {},
  listApiKeys: {},
  revokeApiKey: {},
};
