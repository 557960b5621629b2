export const examples = {
  createWebhook: {},
  listWebhooks: {},
  getWebhook: {},
  updateWebhook: {},
  deleteWebhook: {},
  testWebhook: {},
  listDeliveries: {},
  redeliver: {},
  replay: {},
};
