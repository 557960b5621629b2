export const examples = {
  createWorkspace: {},
  getWorkspace: {},
  listMembers: {},
  addMember: {},
  changeMember: {},
  removeMember: {},
};
