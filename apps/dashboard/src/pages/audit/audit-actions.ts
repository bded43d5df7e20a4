/** The operations of which the audit log has entries. */
export const auditActions = [
  'login',
  'signup',
  'exchangeSignInToken',
  'signInWithIdentity',
  'refresh',
  'logout',
  'endSession',
  'endIdentitySessions',
  'makeFirstAdmin',
  'createUser',
  'updateUser',
  'patchUser',
  'deleteUser',
  'createApiKey',
  'updateApiKey',
  'rotateApiKey',
  'revokeApiKey',
  'createWebhook',
  'updateWebhook',
  'patchWebhook',
  'deleteWebhook',
  'rotateWebhookSecret',
  'reloadConfiguration',
]

/** The outcomes of entries: those of failed sign-ins are error codes. */
export const auditOutcomes = ['ok', 'UNAUTHORIZED', 'FORBIDDEN', 'CONFLICT', 'RATE_LIMIT_EXCEEDED', 'INTERNAL_ERROR']
