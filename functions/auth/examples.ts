export const examples = {
  login: {},
  refresh: {},
  logout: {},
  me: {},
};
