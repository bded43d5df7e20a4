const ofUsers = /^(\/api\/v1)?\/(admin|auth|invitations|projects|providers|sessions|users)(?![\w-])/

/** Whether a path is one of records, and not of users, or of the whole service. */
export function isOfProject(path: string): boolean {
  return !ofUsers.test(path)
}
