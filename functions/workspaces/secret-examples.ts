export const examples = {
  listSecrets: {},
  getSecret: {},
  putSecret: {},
  deleteSecret: {},
};
